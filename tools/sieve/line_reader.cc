#include "tools/sieve/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/status/status.h"
#include "tools/sieve/stop_signals.h"

namespace oneline {
namespace {

// The size of a read: thousands of lines, which frontiers look up in one batch.
constexpr size_t kReadBytes = size_t{256} << 10;
// Bounds the batch if lines are very short: a frontier needs some hundred bytes
// for each line of a batch.
constexpr size_t kMaxLines = 8192;

}  // namespace

absl::Status LineReader::ReadOnce() {
  absl::Status ready = TakePendingSignal(while_waiting_);
  if (ready.ok()) ready = WaitUntilReady(fd_, POLLIN, while_waiting_);
  if (!ready.ok()) return ready;
  const size_t before = buffer_.size();
  buffer_.resize(before + kReadBytes);
  const ssize_t got = read(fd_, &buffer_[before], kReadBytes);
  const int error = errno;
  buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  at_end_ = got == 0;
  // Another process may read the same pipe without waiting.
  if (got >= 0 || error == EAGAIN || error == EINTR) return absl::OkStatus();
  return absl::ErrnoToStatus(error, "standard input");
}

absl::StatusOr<std::vector<std::string_view>> LineReader::Next() {
  buffer_.erase(0, taken_);
  scanned_ -= taken_;
  taken_ = 0;
  std::vector<std::string_view> lines;
  for (;;) {
    while (lines.size() < kMaxLines) {
      const size_t end = buffer_.find('\n', scanned_);
      if (end == std::string::npos) break;
      lines.emplace_back(&buffer_[taken_], end - taken_);
      taken_ = scanned_ = end + 1;
    }
    if (!lines.empty()) return lines;
    scanned_ = buffer_.size();
    if (at_end_) break;
    const absl::Status status = ReadOnce();
    if (!status.ok()) return status;
  }
  if (!buffer_.empty()) lines.emplace_back(buffer_);
  taken_ = buffer_.size();
  return lines;
}

}  // namespace oneline
