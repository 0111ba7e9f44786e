// Tests that a full disk is an error of ExactUrlStore that loses nothing, and
// does not end the program.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "membership/urls/exact_url_store.h"
#include "tests/temporary_directory.h"

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

// Returns how many were new.
absl::StatusOr<int> PushBatch(ExactUrlStore& store, int first) {
  std::vector<std::string> urls;
  for (int i = first; i < first + kBatch; ++i) {
    urls.push_back("http://example.com/" + std::to_string(i));
  }
  const std::vector<std::string_view> views(urls.begin(), urls.end());
  const auto is_new = std::make_unique<bool[]>(urls.size());
  const absl::Status status =
      store.Push(views.data(), views.size(), is_new.get());
  if (!status.ok()) return status;
  return static_cast<int>(
      std::count(is_new.get(), is_new.get() + urls.size(), true));
}

// Pushes until the disk is full; returns how many URLs went in. Expects the
// error.
int FillDisk(const ExactUrlStoreOptions& options) {
  const auto store = ExactUrlStore::Open(options);
  absl::Status status = store.status();
  int pushed = 0;
  while (status.ok() && pushed < kUrls) {
    status = PushBatch(**store, pushed).status();
    if (status.ok()) pushed += kBatch;
  }
  EXPECT_NE(status.message().find("No space left on device"), std::string::npos)
      << status;
  return pushed;
}

TEST(ExactUrlFullDiskTest, AFullDiskIsAnErrorAndLosesNothing) {
  int most = 0;
  for (const int64_t room : {0, 100, 10000, 300000, 3000000, 10000000}) {
    SCOPED_TRACE(room);
    const TemporaryDirectory directory;
    ExactUrlStoreOptions options;
    options.path = directory.File("urls");
    options.memory_bytes = size_t{8} << 20;
    options.keep_queue = false;
    free_bytes = room;
    const int pushed = FillDisk(options);
    most = std::max(most, pushed);
    free_bytes = kUnlimited;
    const auto store = ExactUrlStore::Open(options);
    ASSERT_TRUE(store.ok()) << store.status();
    for (int first = 0; first <= pushed; first += kBatch) {
      EXPECT_EQ(*PushBatch(**store, first), first < pushed ? 0 : kBatch);
    }
  }
  EXPECT_GE(most, kUrls / 10);
}

}  // namespace
}  // namespace oneline
