// Reads lines of any bytes and any length from a file descriptor.

#ifndef ONELINE_TOOLS_SIEVE_LINE_READER_H_
#define ONELINE_TOOLS_SIEVE_LINE_READER_H_

#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// Not thread-safe.
class LineReader {
 public:
  // `while_waiting`: as in WaitUntilReady. The caller blocks the signals that
  // may interrupt a wait; this mask leaves them out.
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

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_LINE_READER_H_
