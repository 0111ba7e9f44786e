// Tests of the main loop of `oneline sieve`: a crash of the machine loses no
// line, since what is written is on the disk before the store may be.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include "membership/urls/url_store.h"
#include "tests/temporary_directory.h"
#include "tools/sieve/sieve.h"

namespace oneline {
namespace {

// What happened, in order.
std::vector<std::string>& Events() {
  static std::vector<std::string> events;
  return events;
}

// Whether the disk takes what is synced to the output.
bool& OutputCanBeSynced() {
  static bool can = true;
  return can;
}

}  // namespace
}  // namespace oneline

// Takes the place of the C library's.
extern "C" int fdatasync(int fd) {
  if (fd == STDOUT_FILENO) {
    oneline::Events().push_back("output synced");
    if (!oneline::OutputCanBeSynced()) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}

namespace oneline {
namespace {

// Lines that begin with "new" are new.
class RecordingStore final : public UrlStore {
 public:
  explicit RecordingStore(bool on_disk) : on_disk_(on_disk) {}

  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override {
    for (size_t i = 0; i < n; ++i) is_new[i] = urls[i].substr(0, 3) == "new";
    return absl::OkStatus();
  }
  absl::Status Remember(const std::string_view*, size_t, const bool*) override {
    Events().push_back("remembered");
    return absl::OkStatus();
  }
  bool is_on_disk() const override { return on_disk_; }
  absl::StatusOr<std::optional<std::string>> Pop() override {
    return std::nullopt;
  }
  absl::Status Sync() override {
    Events().push_back("store synced");
    return absl::OkStatus();
  }
  uint64_t NumSeen() const override { return 0; }
  uint64_t NumQueued() const override { return 0; }
  double FpRate() const override { return 0; }

 private:
  const bool on_disk_;
};

// What happens while `input` is copied to `output`.
std::vector<std::string> EventsOf(const std::string& input,
                                  const std::string& output, bool on_disk) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("in")) << input;
  const int stdin_before = dup(0), stdout_before = dup(1);
  const int in = open(directory.File("in").c_str(), O_RDONLY);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT, 0666);
  dup2(in, 0);
  dup2(out, 1);
  Events().clear();
  RecordingStore store(on_disk);
  sigset_t none;
  sigemptyset(&none);
  const absl::StatusOr<int> code = SieveLines(store, 0, none);
  dup2(stdin_before, 0);
  dup2(stdout_before, 1);
  for (int fd : {stdin_before, stdout_before, in, out}) close(fd);
  EXPECT_EQ(code.ok(), OutputCanBeSynced()) << code.status();
  return Events();
}

using Strings = std::vector<std::string>;

TEST(SieveLinesTest, AFileIsSyncedBeforeItsLinesAreRemembered) {
  const TemporaryDirectory directory;
  EXPECT_EQ(EventsOf("new 1\nold\nnew 2\n", directory.File("out"), true),
            (Strings{"output synced", "remembered", "output synced",
                     "store synced"}));
  // Two batches, since a batch has at most 8192 lines. The second writes none.
  std::string lines;
  for (int i = 0; i < 9000; ++i) lines += i == 0 ? "new\n" : "old\n";
  EXPECT_EQ(EventsOf(lines, directory.File("out"), true),
            (Strings{"output synced", "remembered", "remembered",
                     "output synced", "store synced"}));
}

// A store in memory is on the disk only after it was synced.
TEST(SieveLinesTest, AFileIsSyncedOnceForAStoreInMemory) {
  const TemporaryDirectory directory;
  EXPECT_EQ(EventsOf("new 1\nold\nnew 2\n", directory.File("out"), false),
            (Strings{"remembered", "output synced", "store synced"}));
}

TEST(SieveLinesTest, NothingIsRememberedOnDiskThatWasNotSynced) {
  const TemporaryDirectory directory;
  OutputCanBeSynced() = false;
  EXPECT_EQ(EventsOf("new 1\n", directory.File("out"), true),
            (Strings{"output synced"}));
  EXPECT_EQ(EventsOf("new 1\n", directory.File("out"), false),
            (Strings{"remembered", "output synced"}));
  OutputCanBeSynced() = true;
}

TEST(SieveLinesTest, OnlyFilesAreSynced) {
  EXPECT_EQ(EventsOf("new 1\n", "/dev/null", true),
            (Strings{"remembered", "store synced"}));
}

}  // namespace
}  // namespace oneline
