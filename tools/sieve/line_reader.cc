#include "tools/sieve/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"

namespace oneline {
namespace {

// What is read at once: thousands of lines, which stores look up together.
constexpr size_t kReadBytes = size_t{256} << 10;
// Of very short ones no more than these, since stores have some hundred bytes
// of their own for each.
constexpr size_t kMostLines = 8192;

}  // namespace

LineReader::LineReader(int fd, const sigset_t& while_waiting)
    : fd_(fd), while_waiting_(while_waiting), buffer_(kReadBytes) {}

absl::StatusOr<bool> LineReader::Fill() {
  // The rest moves to the front; a line as long as the buffer doubles it.
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  }
  scanned_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  // Signals come through here and nowhere else: none is missed between a look
  // at a flag and a read that then waits for ever. The first call is for input
  // that is always there: ppoll takes that before it takes a signal.
  const struct timespec at_once = {};
  struct pollfd input = {fd_, POLLIN, 0};
  ssize_t got = ppoll(nullptr, 0, &at_once, &while_waiting_);
  if (got >= 0) got = ppoll(&input, 1, nullptr, &while_waiting_);
  if (got >= 0) {
    got = read(fd_, buffer_.data() + end_,
               std::min(buffer_.size() - end_, kReadBytes));
  }
  if (got < 0 && errno == EINTR) return absl::CancelledError("interrupted");
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
    while (lines.size() < kMostLines && TakeLine(&line)) lines.push_back(line);
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
