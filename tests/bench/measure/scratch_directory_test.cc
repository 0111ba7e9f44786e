// Tests of bench/measure/scratch_directory.h: however the work ends, the result
// is right and the directory is removed.

#include "bench/measure/scratch_directory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace oneline {
namespace {

class ScratchDirectoryTest : public testing::Test {
 protected:
  ScratchDirectoryTest() : parent_(testing::TempDir() + "/scratch") {
    std::filesystem::create_directories(parent_);
    setenv("TMPDIR", parent_.c_str(), 1);
  }
  ~ScratchDirectoryTest() override {
    EXPECT_TRUE(std::filesystem::is_empty(parent_));
    std::filesystem::remove_all(parent_);
  }

  const std::string parent_;
};

void Fill(const std::string& directory) {
  std::filesystem::create_directories(directory + "/a/b");
  std::ofstream(directory + "/a/b/file") << "text";
}

TEST_F(ScratchDirectoryTest, ReturnsWhatTheWorkReturns) {
  for (int code : {0, 7}) {
    EXPECT_EQ(RunInScratchDirectory(
                  "name",
                  [&](const std::string& directory) {
                    Fill(directory);
                    const bool ok = directory.find(parent_ + "/name-") == 0;
                    return ok ? code : 99;
                  }),
              code);
  }
}

TEST_F(ScratchDirectoryTest, IsRemovedAfterACrash) {
  EXPECT_EQ(RunInScratchDirectory("name",
                                  [](const std::string& directory) -> int {
                                    Fill(directory);
                                    signal(SIGABRT, SIG_DFL);
                                    const rlimit no_core{};
                                    setrlimit(RLIMIT_CORE, &no_core);
                                    std::abort();
                                  }),
            128 + SIGABRT);
}

TEST_F(ScratchDirectoryTest, PassesSignalsOn) {
  for (int ending : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(RunInScratchDirectory("name",
                                    [ending](const std::string& directory) {
                                      Fill(directory);
                                      kill(getppid(), ending);
                                      while (true) pause();
                                      return 0;
                                    }),
              128 + ending);
  }
}

TEST_F(ScratchDirectoryTest, AMissingParentIsAnError) {
  setenv("TMPDIR", (parent_ + "/missing").c_str(), 1);
  EXPECT_EQ(RunInScratchDirectory("name", [](const std::string&) { return 0; }),
            1);
}

}  // namespace
}  // namespace oneline
