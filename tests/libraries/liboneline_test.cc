// Tests of liboneline.so, to which programs are linked, and of what all our
// shared libraries have in common.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

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
  EXPECT_EQ(functions,
            (std::set<std::string>{
                "T oneline::NewCacheLineAlignedAllocator",
                "T oneline::NewRocksDBFilterPolicy", "T oneline::Refilter",
                "T oneline::RefilterThread::RefilterThread",
                "T oneline::RefilterThread::Stop",
                "T oneline::RefilterThread::~RefilterThread"}));
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

// Without a name of its own, programs that are linked to it would store the
// path that it had then.
TEST(LibrariesTest, HaveNames) {
  for (const std::string library :
       {"liboneline.so", "liboneline_preload.so", "liboneline_leveldb.so",
        "liboneline_leveldb_preload.so"}) {
    const Finished program = RunProgram("readelf -d " + PathOf(library));
    EXPECT_NE(program.out.find("soname: [" + library + "]"), std::string::npos)
        << program.out << program.err;
  }
}

}  // namespace
}  // namespace oneline
