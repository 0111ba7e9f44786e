#include "tools/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"

namespace oneline {
namespace {

// Enough for thousands of lines, which stores look up together.
constexpr size_t kBufferBytes = size_t{256} << 10;

}  // namespace

LineReader::LineReader(int fd, const sigset_t& while_waiting)
    : fd_(fd), while_waiting_(while_waiting), buffer_(kBufferBytes) {}

absl::StatusOr<bool> LineReader::Fill() {
  // The rest moves to the front; a line as long as the buffer doubles it.
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  scanned_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  // Signals come through here and nowhere else: none is missed between a look
  // at a flag and a read that then waits for ever.
  struct pollfd input = {fd_, POLLIN, 0};
  ssize_t got = ppoll(&input, 1, nullptr, &while_waiting_);
  if (got >= 0) got = read(fd_, buffer_.data() + end_, buffer_.size() - end_);
  if (got < 0 && errno == EINTR) return absl::CancelledError("interrupted");
  if (got < 0) return absl::ErrnoToStatus(errno, "standard input");
  end_ += static_cast<size_t>(got);
  return got > 0;
}

absl::StatusOr<std::vector<std::string_view>> LineReader::Next() {
  std::vector<std::string_view> lines;
  while (lines.empty() && !at_end_) {
    const absl::StatusOr<bool> more = Fill();
    if (!more.ok()) return more.status();
    for (;;) {
      char* const from = buffer_.data() + scanned_;
      const void* newline = std::memchr(from, '\n', end_ - scanned_);
      if (newline == nullptr) break;
      const size_t at = static_cast<size_t>(static_cast<const char*>(newline) -
                                            buffer_.data());
      lines.emplace_back(buffer_.data() + begin_, at - begin_);
      begin_ = scanned_ = at + 1;
    }
    scanned_ = end_;
    if (*more) continue;
    at_end_ = true;
    if (begin_ < end_)
      lines.emplace_back(buffer_.data() + begin_, end_ - begin_);
  }
  return lines;
}

}  // namespace oneline
