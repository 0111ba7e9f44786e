// Tests that a full disk is an error of an exact frontier that loses nothing,
// and does not end the program.

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "membership/urls/url_frontier.h"
#include "tests/testing.h"

namespace oneline {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
std::atomic<int64_t> free_bytes{kUnlimited};

bool IsFull(int fd, size_t n) {
  struct stat status;
  if (free_bytes == kUnlimited || fstat(fd, &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    return false;
  }
  return (free_bytes -= static_cast<int64_t>(n)) < 0;
}

}  // namespace
}  // namespace oneline

// Takes the place of the C library's, in RocksDB, too.
extern "C" ssize_t write(int fd, const void* bytes, size_t n) {
  if (!oneline::IsFull(fd, n)) return syscall(SYS_write, fd, bytes, n);
  errno = ENOSPC;
  return -1;
}

namespace oneline {
namespace {

constexpr int kUrls = 400000, kBatch = 4000;

// Pushes a batch; sets how many were new.
absl::Status Push(UrlFrontier& frontier, int first, int* num_new) {
  std::vector<std::string> urls;
  for (int i = first; i < first + kBatch; ++i) {
    urls.push_back("http://example.com/" + std::to_string(i));
  }
  const std::vector<std::string_view> views(urls.begin(), urls.end());
  bool is_new[kBatch] = {};
  const absl::Status status = frontier.Push(views.data(), views.size(), is_new);
  *num_new = static_cast<int>(std::count(is_new, is_new + kBatch, true));
  return status;
}

TEST(ExactFullDiskTest, AFullDiskIsAnErrorAndLosesNothing) {
  int most = 0, num_new = 0;
  for (const int64_t room : {0, 100, 10000, 300000, 3000000, 10000000}) {
    SCOPED_TRACE(room);
    const TemporaryDirectory directory;
    ExactFrontierOptions options;
    options.path = directory.File("urls");
    options.memory_bytes = size_t{8} << 20;
    options.keep_queue = false;
    int pushed = 0;
    {
      free_bytes = room;
      const auto frontier = OpenExactFrontier(options);
      absl::Status status = frontier.status();
      while (status.ok() && pushed < kUrls) {
        status = Push(**frontier, pushed, &num_new);
        if (status.ok()) pushed += kBatch;
      }
      EXPECT_NE(status.message().find("No space left on device"),
                std::string::npos)
          << status;
    }
    most = std::max(most, pushed);
    free_bytes = kUnlimited;
    const auto frontier = OpenExactFrontier(options);
    ASSERT_TRUE(frontier.ok()) << frontier.status();
    for (int first = 0; first <= pushed; first += kBatch) {
      EXPECT_TRUE(Push(**frontier, first, &num_new).ok());
      EXPECT_EQ(num_new, first < pushed ? 0 : kBatch);
    }
  }
  EXPECT_GE(most, kUrls / 10);
}

}  // namespace
}  // namespace oneline
