// Tests of liboneline.so, to which programs are linked, and of what all our
// shared libraries have in common.

#include "oneline/version.h"
#include "tests/testing.h"

namespace oneline {
namespace {

std::string PathOf(const std::string& library) {
  return std::filesystem::absolute(library);
}

// Its functions, or with their arguments those of a database.
std::set<std::string> ExportedBy(const std::string& library) {
  const Finished program =
      RunProgram("nm --dynamic --defined-only --demangle " + PathOf(library) +
                 " | cut -d' ' -f2-");
  std::set<std::string> functions;
  std::istringstream lines(program.out);
  for (std::string line; std::getline(lines, line);) {
    // Copies of the standard library's, with -D_GLIBCXX_ASSERTIONS.
    if (line.rfind("W std::", 0) == 0) continue;
    const bool is_ours = line.rfind("T oneline::", 0) == 0;
    functions.insert(is_ours ? line.substr(0, line.find('(')) : line);
  }
  return functions;
}

// As nm prints a function of this version.
std::string Ours(const std::string& function) {
  return "T oneline::v" + std::to_string(ONELINE_VERSION_MAJOR) + "_" +
         std::to_string(ONELINE_VERSION_MINOR) + "::" + function;
}

TEST(LibrariesTest, ExportTheirInterfacesAlone) {
  using Functions = std::set<std::string>;
  EXPECT_EQ(
      ExportedBy("liboneline.so"),
      (Functions{Ours("NewCacheLineAlignedAllocator"),
                 Ours("NewRocksDBFilterPolicy"), Ours("Refilter"),
                 Ours("RefilterThread::RefilterThread"),
                 Ours("RefilterThread::Stop"),
                 Ours("RefilterThread::~RefilterThread"), Ours("Version")}));
  EXPECT_EQ(ExportedBy("liboneline_leveldb.so"),
            (Functions{Ours("NewLevelDBFilterPolicy"), Ours("Version")}));
  EXPECT_EQ(ExportedBy("liboneline_preload.so"),
            (Functions{"T rocksdb::NewBloomFilterPolicy(double, bool)",
                       "T rocksdb::NewRibbonFilterPolicy(double, int)"}));
  EXPECT_EQ(ExportedBy("liboneline_leveldb_preload.so"),
            Functions{"T leveldb::NewBloomFilterPolicy(int)"});
}

// Only the library for preloading takes the place of RocksDB's functions.
TEST(LibonelineTest, ALinkedProgramHasRocksDBsOwnFunctions) {
  const Finished program =
      RunProgram("ONELINE_REPLACE_BUILTIN=1 tests/libraries/linked_program");
  EXPECT_EQ(program.err, "");
  EXPECT_EQ(program.out.substr(program.out.find(' ')), " oneline\n");
  EXPECT_NE(program.out.substr(0, 7), "oneline");
}

// Compiled with the headers of a version that has one option more.
TEST(LibonelineTest, AProgramOfAnotherVersionDoesNotStart) {
  const Finished program =
      RunProgram("tests/libraries/program_of_another_version");
  EXPECT_EQ(program.exit_code, 127) << program.out;
  EXPECT_EQ(program.out, "");
  EXPECT_NE(program.err.find("undefined symbol: _ZN7oneline4v0_0"),
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

// A program that is linked to the library stores this name: it does not take
// another minor version. None needs another database.
TEST(LibrariesTest, HaveNamesAndNeedOneDatabase) {
  for (const std::string library :
       {"liboneline.so", "liboneline_preload.so", "liboneline_leveldb.so",
        "liboneline_leveldb_preload.so"}) {
    const Finished program = RunProgram("readelf -d " + PathOf(library));
    const std::string name = library + "." +
                             std::to_string(ONELINE_VERSION_MAJOR) + "." +
                             std::to_string(ONELINE_VERSION_MINOR);
    EXPECT_NE(program.out.find("soname: [" + name + "]"), std::string::npos)
        << program.out << program.err;
    const bool is_for_leveldb = library.find("leveldb") != library.npos;
    const char* const other = is_for_leveldb ? "[librocksdb" : "[libleveldb";
    EXPECT_EQ(program.out.find(other), program.out.npos) << program.out;
  }
}

}  // namespace
}  // namespace oneline
