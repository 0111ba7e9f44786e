#include "tools/sieve/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "tools/command/stop_signals.h"

namespace oneline {
namespace {

// The size of a read: thousands of lines, which stores look up in one batch.
constexpr size_t kReadBytes = size_t{256} << 10;
// Bounds the batch if lines are very short: a store needs some hundred bytes
// for each line of a batch.
constexpr size_t kMaxLines = 8192;

}  // namespace

LineReader::LineReader(int fd, const sigset_t& while_waiting)
    : fd_(fd), while_waiting_(while_waiting), buffer_(kReadBytes) {}

absl::StatusOr<bool> LineReader::Fill() {
  // The incomplete line moves to the front; if it fills the buffer, the buffer
  // is doubled.
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  }
  scanned_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  absl::Status ready = TakePendingSignal(while_waiting_);
  if (ready.ok()) ready = WaitUntilReady(fd_, POLLIN, while_waiting_);
  if (!ready.ok()) return ready;
  const ssize_t got = read(fd_, buffer_.data() + end_,
                           std::min(buffer_.size() - end_, kReadBytes));
  // Another process may read the same pipe without waiting.
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got < 0) return absl::ErrnoToStatus(errno, "standard input");
  end_ += static_cast<size_t>(got);
  return got > 0;
}

bool LineReader::TakeLine(std::string_view* line) {
  const char* const from = buffer_.data() + scanned_;
  const void* newline = std::memchr(from, '\n', end_ - scanned_);
  if (newline == nullptr) {
    scanned_ = end_;
    return false;
  }
  const size_t at =
      static_cast<size_t>(static_cast<const char*>(newline) - buffer_.data());
  *line = {buffer_.data() + begin_, at - begin_};
  begin_ = scanned_ = at + 1;
  return true;
}

absl::StatusOr<std::vector<std::string_view>> LineReader::Next() {
  std::vector<std::string_view> lines;
  for (;;) {
    std::string_view line;
    while (lines.size() < kMaxLines && TakeLine(&line)) lines.push_back(line);
    if (!lines.empty() || at_end_) break;
    const absl::StatusOr<bool> more = Fill();
    if (!more.ok()) return more.status();
    at_end_ = !*more;
  }
  if (lines.empty() && begin_ < end_) {
    lines.emplace_back(buffer_.data() + begin_, end_ - begin_);
    begin_ = end_;
  }
  return lines;
}

}  // namespace oneline
