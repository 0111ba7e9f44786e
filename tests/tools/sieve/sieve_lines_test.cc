// Tests of the main loop of `oneline sieve`: a crash of the machine loses no
// line, since what is written is on the disk before the frontier may be.

#include "tools/sieve/sieve_lines.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "membership/urls/url_frontier.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// What happened, in order.
std::vector<std::string>& Events() {
  static std::vector<std::string> events;
  return events;
}

// Whether the disk takes what is synced to the output.
bool output_can_be_synced = true;

}  // namespace
}  // namespace oneline

// Takes the place of the C library's.
extern "C" int fdatasync(int fd) {
  if (fd == STDOUT_FILENO) {
    oneline::Events().push_back("output synced");
    if (!oneline::output_can_be_synced) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}

namespace oneline {
namespace {

// Lines that begin with "new" are new.
class RecordingFrontier final : public UrlFrontier {
 public:
  RecordingFrontier() : UrlFrontier({}) {}
  double FpRate() const override { return 0; }

 private:
  absl::Status FindNew(const std::string_view* urls, size_t n,
                       bool* is_new) override {
    for (size_t i = 0; i < n; ++i) is_new[i] = urls[i].substr(0, 3) == "new";
    return absl::OkStatus();
  }
  absl::Status Remember(const std::string_view*, size_t, const bool*,
                        uint64_t) override {
    Events().push_back("remembered");
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> TakeOldest() override { return ""; }
  absl::Status Save() override {
    Events().push_back("frontier synced");
    return absl::OkStatus();
  }
};

using Strings = std::vector<std::string>;

// What happens while `input` is copied to `output`. A frontier in memory has a
// capacity.
Strings EventsOf(const std::string& input, const std::string& output,
                 uint64_t capacity) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("in")) << input;
  const int stdin_before = dup(0), stdout_before = dup(1);
  const int in = open(directory.File("in").c_str(), O_RDONLY);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT, 0666);
  dup2(in, 0);
  dup2(out, 1);
  Events().clear();
  RecordingFrontier frontier;
  sigset_t none;
  sigemptyset(&none);
  const absl::StatusOr<int> code = SieveLines(frontier, capacity, none);
  dup2(stdin_before, 0);
  dup2(stdout_before, 1);
  for (int fd : {stdin_before, stdout_before, in, out}) close(fd);
  EXPECT_EQ(code.ok(), output_can_be_synced) << code.status();
  return Events();
}

TEST(SieveLinesTest, AFileIsSyncedBeforeItsLinesAreRemembered) {
  const TemporaryDirectory directory;
  const std::string out = directory.File("out"), lines = "new 1\nold\nnew 2\n";
  EXPECT_EQ(EventsOf(lines, out, 0),
            (Strings{"output synced", "remembered", "output synced",
                     "frontier synced"}));
  // Two batches, since a batch has at most 8192 lines. The second writes none.
  std::string many = "new\n";
  for (int i = 0; i < 9000; ++i) many += "old\n";
  EXPECT_EQ(EventsOf(many, out, 0),
            (Strings{"output synced", "remembered", "output synced",
                     "frontier synced"}));
  // A frontier in memory is on the disk only after it was synced.
  EXPECT_EQ(EventsOf(lines, out, 5),
            (Strings{"remembered", "output synced", "frontier synced"}));
  EXPECT_EQ(EventsOf(lines, "/dev/null", 0),
            (Strings{"remembered", "frontier synced"}));
}

TEST(SieveLinesTest, NothingIsRememberedOnDiskThatWasNotSynced) {
  const TemporaryDirectory directory;
  output_can_be_synced = false;
  EXPECT_EQ(EventsOf("new 1\n", directory.File("out"), 0),
            (Strings{"output synced"}));
  EXPECT_EQ(EventsOf("new 1\n", directory.File("out"), 5),
            (Strings{"remembered", "output synced"}));
  output_can_be_synced = true;
}

}  // namespace
}  // namespace oneline
