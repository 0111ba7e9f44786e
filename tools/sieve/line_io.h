// Reads and writes lines of any bytes and any length. SIGINT and SIGTERM
// interrupt its waits and nothing else, so that what was begun is finished.

#ifndef ONELINE_TOOLS_SIEVE_LINE_IO_H_
#define ONELINE_TOOLS_SIEVE_LINE_IO_H_

#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Blocks both signals in this thread and in those that it starts from now on: a
// database's threads would take them. Returns the signal mask while waiting.
// Also makes writes to a closed pipe fail with an error.
// REQUIRES: there are no other threads yet.
sigset_t CatchStopSignals();

// The signal that came; 0 if none did.
int StoppedBy();

// Not thread-safe.
class LineReader {
 public:
  LineReader(int fd, const sigset_t& while_waiting)
      : fd_(fd), while_waiting_(while_waiting) {}

  // Returns the lines that are available, 1 to 8192, without their newlines;
  // waits for the first. Returns none at the end of the input, where the last
  // line needs no newline. The lines are valid until the next call, and have
  // less than 512 KiB together unless a single one is longer. Cancelled if a
  // signal came; a line that has not ended by then is dropped. Other errors are
  // those of read().
  absl::StatusOr<std::vector<std::string_view>> Next();

 private:
  absl::Status ReadOnce();

  const int fd_;
  const sigset_t while_waiting_;
  std::string buffer_;
  size_t taken_ = 0;    // of the buffer, by the last call
  size_t scanned_ = 0;  // from taken_ up to here there is no newline
  bool at_end_ = false;
};

// Not thread-safe.
class LineWriter {
 public:
  LineWriter(int fd, const sigset_t& while_waiting);

  // Writes lines, each of which ends with a newline. Adds to `*written` the
  // bytes that were written. Cancelled if a signal came and a pipe or terminal
  // takes no more; what was written then ends with a newline, unless the line
  // is longer than PIPE_BUF (4 KiB). Other errors are those of write().
  absl::Status Write(std::string_view lines, size_t* written);

  // If the descriptor is that of a file, returns when what was written is on
  // the disk.
  absl::Status Sync();

 private:
  const int fd_;
  const sigset_t while_waiting_;
  const bool is_file_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_LINE_IO_H_
