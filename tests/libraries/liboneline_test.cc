// Tests of liboneline.so, to which programs are linked, and of what all our
// shared libraries have in common.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "oneline/version.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

std::string PathOf(const std::string& library) {
  return std::filesystem::absolute(library);
}

TEST(LibonelineTest, ExportsItsInterfaceAlone) {
  const Finished program =
      RunProgram("nm --dynamic --defined-only --demangle " +
                 PathOf("liboneline.so") + " | cut -d' ' -f2-");
  std::set<std::string> functions;
  std::istringstream lines(program.out);
  for (std::string line; std::getline(lines, line);) {
    // Only builds with -D_GLIBCXX_ASSERTIONS have these, copies of what the
    // standard library exports itself.
    if (line.rfind("W std::", 0) == 0) continue;
    functions.insert(line.substr(0, line.find('(')));
  }
  EXPECT_EQ(functions, (std::set<std::string>{
                           "T oneline::v0_1::NewCacheLineAlignedAllocator",
                           "T oneline::v0_1::NewRocksDBFilterPolicy",
                           "T oneline::v0_1::Refilter",
                           "T oneline::v0_1::RefilterThread::RefilterThread",
                           "T oneline::v0_1::RefilterThread::Stop",
                           "T oneline::v0_1::RefilterThread::~RefilterThread",
                           "T oneline::v0_1::Version"}));
}

// Whatever the environment says: only the library for preloading takes the
// place of RocksDB's functions.
TEST(LibonelineTest, ALinkedProgramHasRocksDBsOwnFunctions) {
  for (const char* environment :
       {"", "ONELINE_REPLACE_BUILTIN=1 ", "ONELINE_REPLACE_BUILTIN=oneline "}) {
    const Finished program =
        RunProgram(std::string(environment) + "tests/libraries/linked_program");
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(program.err, "");
    EXPECT_EQ(program.out.substr(program.out.find(' ')), " oneline\n");
    EXPECT_EQ(program.out.find("oneline"), program.out.size() - 8)
        << program.out;
  }
}

// It was compiled with the headers of a version that has one option more, and
// linked to this one without a look at what is missing.
TEST(LibonelineTest, AProgramOfAnotherVersionDoesNotStart) {
  const Finished program =
      RunProgram("tests/libraries/program_of_another_version");
  EXPECT_EQ(program.exit_code, 127) << program.out;
  EXPECT_EQ(program.out, "");
  EXPECT_NE(program.err.find("undefined symbol: _ZN7oneline4v0_2"),
            std::string::npos)
      << program.err;
}

// RocksDB keeps what a library registers, with pointers into it.
TEST(LibrariesTest, StayWhenTheyAreClosed) {
  for (const char* library : {"liboneline.so", "liboneline_preload.so",
                              "tests/libraries/libplugin.so"}) {
    const Finished program =
        RunProgram("tests/libraries/dlopen_program " + PathOf(library));
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(program.out, "oneline\n") << library;
  }
}

// The name that a program stores that is linked to the library. Without one it
// would be the path that it had then. A program does not take the library of
// another minor version for its own.
TEST(LibrariesTest, HaveNames) {
  for (const std::string library :
       {"liboneline.so", "liboneline_preload.so", "liboneline_leveldb.so",
        "liboneline_leveldb_preload.so"}) {
    const Finished program = RunProgram("readelf -d " + PathOf(library));
    const std::string name = library + "." +
                             std::to_string(ONELINE_VERSION_MAJOR) + "." +
                             std::to_string(ONELINE_VERSION_MINOR);
    EXPECT_NE(program.out.find("soname: [" + name + "]"), std::string::npos)
        << program.out << program.err;
  }
}

}  // namespace
}  // namespace oneline
