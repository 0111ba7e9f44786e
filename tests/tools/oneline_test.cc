// Tests of the built program `oneline` as a whole: errors in writing its
// output, lack of memory, its version.

#include <csignal>

#include "oneline/version.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

const char* const kSmallAndLargeOutputs[] = {
    "help", "--version", "size --help", "size --keys=1e9 --bits_per_key=10",
    "size --keys=1e9 --bits_per_key=10 --levels=4 --json"};

TEST(OnelineTest, AFullDiskIsAnError) {
  for (const std::string words : kSmallAndLargeOutputs) {
    const TemporaryDirectory directory;
    const std::string err = directory.File("err");
    // In an inner shell, since RunProgram adds redirections of its own.
    const Finished program = RunProgram("sh -c '" + Oneline() + " " + words +
                                        " >/dev/full 2>" + err + "'");
    EXPECT_EQ(program.exit_code, 2) << words;
    EXPECT_EQ(ReadWholeFile(err), "oneline: the output could not be written\n");
  }
}

// "| head" ends it without an error message, as it does other programs.
TEST(OnelineTest, AClosedPipeEndsIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  ASSERT_EQ(dup2(ends[1], 9), 9);
  for (const std::string words : kSmallAndLargeOutputs) {
    const Finished program =
        RunProgram("sh -c '" + Oneline() + " " + words + " >&9'");
    EXPECT_EQ(program.exit_code, 128 + SIGPIPE) << words;
    EXPECT_EQ(program.err, "");
  }
  close(ends[1]);
  close(9);
}

// Without memory it ends with an error of its own, not with the runtime's
// "terminate called". (127: it could not even be started. 139: RocksDB's block
// cache uses memory that it did not get.)
TEST(OnelineTest, TooLittleMemoryIsAnError) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need all addresses";
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 9; ++i) database.WriteTable(i, 20000);
  database.Close();
  for (const int kilobytes : {20000, 40000, 60000, 80000, 100000, 200000}) {
    for (const std::string words :
         {"verify --jobs=64 ", "inspect --jobs=64 ", "doctor --jobs=64 "}) {
      const Finished program =
          RunProgram("{ ulimit -v " + std::to_string(kilobytes) + "; " +
                     Oneline() + " " + words + database.path() + "; }");
      EXPECT_TRUE(program.exit_code == 0 || program.exit_code == 2 ||
                  program.exit_code == 127 || program.exit_code == 139)
          << kilobytes << " " << words << program.exit_code << program.err;
      EXPECT_FALSE(Contains(program.err, "terminate")) << program.err;
      if (program.exit_code == 2) {
        EXPECT_TRUE(Contains(program.err, "oneline"));
      }
    }
  }
}

// Scripts may still call a command that is gone.
TEST(OnelineTest, AdviseSaysWhatToUse) {
  for (const std::string words : {"advise", "advise db --memory=1MiB"}) {
    const Finished run = RunOneline(words);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(ContainsAll(run.err, {"'oneline size --memory=SIZE'",
                                      "'oneline doctor' prints the share"}));
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1);
  }
}

TEST(OnelineTest, SaysItsVersion) {
  EXPECT_EQ(OutputOf("--version").find("oneline " ONELINE_VERSION " for "), 0u);
}

// Of the same minor version, whose filters it could read.
TEST(OnelineTest, RefusesAnotherPatchOfRocksDB) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's library must come first";
  const std::string other =
      "OTHER_ROCKSDB_VERSION=" + std::to_string(kRocksDBMajor) + "." +
      std::to_string(kRocksDBMinor) + ".99 LD_PRELOAD=" +
      std::string(std::filesystem::absolute(
          "tests/libraries/libother_rocksdb_version.so")) +
      " ";
  const Finished run = RunOneline("inspect .", other);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(Contains(run.err, "build oneline against RocksDB"));
  EXPECT_EQ(RunOneline("--version", other).exit_code, 0);
}

}  // namespace
}  // namespace oneline
