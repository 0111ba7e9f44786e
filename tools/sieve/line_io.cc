#include "tools/sieve/line_io.h"

#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace oneline {
namespace {

// The size of a read: thousands of lines, which frontiers look up in one batch.
constexpr size_t kReadBytes = size_t{256} << 10;
// A frontier needs some hundred bytes for each line of a batch.
constexpr size_t kMaxLines = 8192;

volatile std::sig_atomic_t stopped_by = 0;

void Stop(int signal) { stopped_by = signal; }

// Waits until a read from the file (POLLIN) or a write to it (POLLOUT) will not
// block; without a file not at all. Cancelled if it had to wait and a signal
// came before or meanwhile. Signals are unblocked inside ppoll only: none can
// arrive between a check of a flag and a wait that then lasts for ever.
absl::Status Wait(struct pollfd* file, const sigset_t& while_waiting) {
  const struct timespec at_once = {};
  const int ready = file == nullptr
                        ? ppoll(nullptr, 0, &at_once, &while_waiting)
                        : ppoll(file, 1, nullptr, &while_waiting);
  if (ready >= 0) return absl::OkStatus();
  if (errno == EINTR) return absl::CancelledError("interrupted");
  return absl::ErrnoToStatus(errno, "poll");
}

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

sigset_t CatchStopSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t stopping, before;
  sigemptyset(&stopping);
  struct sigaction action = {};
  action.sa_handler = &Stop;
  for (int signal : {SIGINT, SIGTERM}) {
    sigaddset(&stopping, signal);
    sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_BLOCK, &stopping, &before);
  return before;
}

int StoppedBy() { return stopped_by; }

absl::Status LineReader::ReadOnce() {
  struct pollfd input = {fd_, POLLIN, 0};
  absl::Status ready = Wait(nullptr, while_waiting_);  // if a signal came
  if (ready.ok()) ready = Wait(&input, while_waiting_);
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

LineWriter::LineWriter(int fd, const sigset_t& while_waiting)
    : fd_(fd), while_waiting_(while_waiting), is_file_(IsFile(fd)) {}

absl::Status LineWriter::Write(std::string_view lines, size_t* written) {
  while (!lines.empty()) {
    if (!is_file_) {
      struct pollfd output = {fd_, POLLOUT, 0};
      const absl::Status ready = Wait(&output, while_waiting_);
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
