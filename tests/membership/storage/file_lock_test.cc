#include "membership/storage/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

TEST(FileLockTest, HasOneOwner) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("saved");
  auto lock = FileLock::Take(path);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(FileLock::Take(path).status().message(),
            path + ": another program has it open");
  EXPECT_TRUE(FileLock::Take(directory.File("other")).ok());
  lock->reset();
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  // What a killed owner leaves is no lock.
  std::ofstream(directory.File("saved.lock")) << "";
  EXPECT_TRUE(FileLock::Take(path).ok());
  EXPECT_EQ(FileLock::Take("/none/saved").status().message(),
            "/none/saved.lock: No such file or directory");
}

// Programs that take and release it at the same time: each adds 1 to a number
// in a file, and none is lost.
TEST(FileLockTest, ExcludesOthersAlsoWhileItIsReleased) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("number");
  std::ofstream(path) << 0;
  constexpr int kPrograms = 4, kTimes = 200;
  std::vector<pid_t> children;
  for (int i = 0; i < kPrograms; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int done = 0; done < kTimes;) {
        const auto lock = FileLock::Take(path);
        if (!lock.ok()) continue;
        int number = -1;
        std::ifstream(path) >> number;
        std::ofstream(path) << number + 1;
        ++done;
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  int number = -1;
  std::ifstream(path) >> number;
  EXPECT_EQ(number, kPrograms * kTimes);
}

}  // namespace
}  // namespace oneline
