#include "tools/sieve/line_writer.h"

#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tools/sieve/stop_signals.h"

namespace oneline {
namespace {

bool IsFile(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

// How much to write at once. A pipe that is ready takes PIPE_BUF bytes without
// blocking.
size_t NextPiece(std::string_view lines) {
  if (lines.size() <= PIPE_BUF) return lines.size();
  const size_t newline = lines.rfind('\n', PIPE_BUF - 1);
  return newline == std::string_view::npos ? PIPE_BUF : newline + 1;
}

}  // namespace

LineWriter::LineWriter(int fd, const sigset_t& while_waiting)
    : fd_(fd), while_waiting_(while_waiting), is_file_(IsFile(fd)) {}

absl::Status LineWriter::Write(std::string_view lines, size_t* written) {
  while (!lines.empty()) {
    if (!is_file_) {
      const absl::Status ready = WaitUntilReady(fd_, POLLOUT, while_waiting_);
      if (!ready.ok()) return ready;
    }
    const ssize_t n =
        write(fd_, lines.data(), is_file_ ? lines.size() : NextPiece(lines));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "standard output");
    lines.remove_prefix(static_cast<size_t>(n));
    *written += static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

absl::Status LineWriter::Sync() {
  if (!is_file_ || fdatasync(fd_) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "standard output");
}

}  // namespace oneline
