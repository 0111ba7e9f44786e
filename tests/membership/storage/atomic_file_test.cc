#include "membership/storage/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// Names of what was synced.
std::vector<std::string>& Synced() {
  static std::vector<std::string> synced;
  return synced;
}

}  // namespace
}  // namespace oneline

// Takes the place of the C library's.
extern "C" int fsync(int fd) {
  oneline::Synced().push_back(
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)));
  return static_cast<int>(syscall(SYS_fsync, fd));
}

namespace oneline {
namespace {

size_t FilesIn(const std::string& directory) {
  const std::filesystem::directory_iterator files(directory);
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

TEST(WriteFileAtomicallyTest, WritesAllPartsAndKeepsPermissionsAndLinks) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("f"), link = directory.File("link");
  ASSERT_TRUE(WriteFileAtomically(path, {"old"}).ok());
  ASSERT_EQ(chmod(path.c_str(), 0660), 0);
  std::filesystem::create_symlink("f", link);
  ASSERT_TRUE(WriteFileAtomically(link, {"one", "", "two"}).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadWholeFile(path), "onetwo");
  struct stat file = {};
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0660u);
  EXPECT_EQ(FilesIn(directory.path()), 2u);
}

TEST(WriteFileAtomicallyTest, TakesANameWithoutADirectoryAndNamesItsErrors) {
  const TemporaryDirectory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  const absl::Status status = WriteFileAtomically("f", {"here"});
  std::filesystem::current_path(before);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(ReadWholeFile(directory.File("f")), "here");
  EXPECT_EQ(WriteFileAtomically(directory.File("none/f"), {"x"}).message(),
            directory.File("none/f") + ": No such file or directory");
}

TEST(WriteFileAtomicallyTest, SyncsTheFileBeforeAndTheDirectoryAfter) {
  const TemporaryDirectory directory;
  Synced().clear();
  ASSERT_TRUE(WriteFileAtomically(directory.File("f"), {"x"}).ok());
  ASSERT_EQ(Synced().size(), 2u);
  // Before it has its name.
  EXPECT_NE(Synced()[0].find("/f.tmp."), std::string::npos) << Synced()[0];
  EXPECT_EQ(Synced()[1], std::filesystem::canonical(directory.path()).string());
}

// A limit on the size of files stands in for a full disk: the write fails.
TEST(WriteFileAtomicallyTest, AFullDiskLeavesTheOldFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("f");
  ASSERT_TRUE(WriteFileAtomically(path, {"old"}).ok());
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string large(100000, 'x');
    _exit(WriteFileAtomically(path, {large}).ok() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(ReadWholeFile(path), "old");
  EXPECT_EQ(FilesIn(directory.path()), 1u);
}

// Whenever the writer is killed, the file is a complete one of its versions.
TEST(WriteFileAtomicallyTest, AKilledWriterLeavesAWholeFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("f");
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) {
        if (!WriteFileAtomically(path, {std::string(200000, c)}).ok()) _exit(1);
      }
    }
    usleep(10000 + 1000 * static_cast<useconds_t>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string contents = ReadWholeFile(path);
    if (contents.empty() && !std::filesystem::exists(path)) continue;
    ASSERT_EQ(contents.size(), 200000u);
    ASSERT_EQ(contents.find_first_not_of(contents[0]), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace oneline
