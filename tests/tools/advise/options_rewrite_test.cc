// Rewriting an OPTIONS file leaves a whole file at whichever step the program
// is killed or a system call fails. This program replaces the system calls of
// these steps by its own.

#include "tools/advise/options_rewrite.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"

namespace {

enum class Fault { kNone, kKill, kFullDisk };
Fault fault = Fault::kNone;
int steps_left = 0;   // until the fault
int steps_taken = 0;  // while counting

// Counts a step. Returns whether it must fail.
bool Fails() {
  if (fault == Fault::kNone) return false;
  ++steps_taken;
  if (--steps_left != 0) return false;
  if (fault == Fault::kKill) kill(getpid(), SIGKILL);
  errno = ENOSPC;
  return true;
}

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int mkstemp(char* pattern) {
  static const auto real = Real<int (*)(char*)>("mkstemp");
  return Fails() ? -1 : real(pattern);
}

ssize_t write(int file, const void* bytes, size_t n) {
  static const auto real = Real<ssize_t (*)(int, const void*, size_t)>("write");
  if (fault == Fault::kNone) return real(file, bytes, n);
  if (Fails()) return -1;
  // Short writes, as on a disk that is nearly full.
  return real(file, bytes, n > 3000 ? 3000 : n);
}

int fsync(int file) {
  static const auto real = Real<int (*)(int)>("fsync");
  return Fails() ? -1 : real(file);
}

int fchmod(int file, mode_t mode) noexcept {
  static const auto real = Real<int (*)(int, mode_t)>("fchmod");
  return Fails() ? -1 : real(file, mode);
}

int link(const char* from, const char* to) noexcept {
  static const auto real = Real<int (*)(const char*, const char*)>("link");
  return Fails() ? -1 : real(from, to);
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = Real<int (*)(const char*, const char*)>("rename");
  return Fails() ? -1 : real(from, to);
}

}  // extern "C"

namespace oneline {
namespace {

class OptionsRewriteTest : public testing::Test {
 protected:
  OptionsRewriteTest() {
    ScratchDatabase database(OptionsWith(OurPolicy(10)));
    for (const auto& file :
         std::filesystem::directory_iterator(database.path())) {
      if (file.path().filename().string().rfind("OPTIONS-", 0) == 0) {
        before_ = ReadWholeFile(file.path());
      }
    }
    after_ = before_;
    const size_t at = after_.find("filter_policy=");
    after_.replace(at, after_.find('\n', at) - at,
                   "filter_policy={id=oneline;bits_per_key=12}");
    Restore();
  }

  void Restore() const {
    std::filesystem::remove_all(directory_.File("x"));
    std::filesystem::create_directory(directory_.File("x"));
    std::ofstream(File(), std::ios::binary) << before_;
  }

  std::string File() const { return directory_.File("x/OPTIONS-000007"); }

  static absl::StatusOr<std::string> Rewrite(const std::string& file) {
    FilterOptions options;
    options.bits_per_key = 12;
    return RewriteOptionsFile(file, {{"default", options}});
  }

  // Names of the other files in its directory.
  std::vector<std::string> Beside() const {
    std::vector<std::string> names;
    for (const auto& file :
         std::filesystem::directory_iterator(directory_.File("x"))) {
      const std::string name = file.path().filename();
      if (name != "OPTIONS-000007") names.push_back(name);
    }
    return names;
  }

  // The number of steps of a rewrite.
  int CountSteps() const {
    fault = Fault::kFullDisk;
    steps_left = steps_taken = 0;
    EXPECT_TRUE(Rewrite(File()).ok());
    fault = Fault::kNone;
    EXPECT_EQ(ReadWholeFile(File()), after_);
    EXPECT_EQ(Beside().size(), 1u);
    return steps_taken;
  }

  const TemporaryDirectory directory_;
  std::string before_, after_;
};

TEST_F(OptionsRewriteTest, SurvivesBeingKilled) {
  const int steps = CountSteps();
  EXPECT_GE(steps, 8);
  int old_files = 0;
  for (int step = 1; step <= steps; ++step) {
    Restore();
    const pid_t child = fork();
    if (child == 0) {
      fault = Fault::kKill;
      steps_left = step;
      _exit(Rewrite(File()).ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << step;
    const std::string text = ReadWholeFile(File());
    if (text == before_) ++old_files;
    // The last step syncs the directory; the new file is already in place.
    EXPECT_EQ(text, step < steps ? before_ : after_) << step;
    for (const std::string& name : Beside()) {
      EXPECT_NE(name.rfind("OPTIONS-", 0), 0u) << name;
      if (name.rfind("before-", 0) == 0) {
        EXPECT_EQ(ReadWholeFile(directory_.File("x/" + name)), before_);
      }
    }
  }
  EXPECT_EQ(old_files, steps - 1);
}

TEST_F(OptionsRewriteTest, LeavesNothingBehindWhenASystemCallFails) {
  const int steps = CountSteps();
  for (int step = 1; step < steps; ++step) {
    Restore();
    fault = Fault::kFullDisk;
    steps_left = step;
    const auto result = Rewrite(File());
    fault = Fault::kNone;
    EXPECT_FALSE(result.ok()) << step;
    EXPECT_EQ(ReadWholeFile(File()), before_) << step;
    EXPECT_EQ(Beside(), std::vector<std::string>{}) << step;
  }
}

}  // namespace
}  // namespace oneline
