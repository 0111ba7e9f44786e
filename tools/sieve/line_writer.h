// Writes lines to a file descriptor, so that signals can interrupt it.

#ifndef ONELINE_TOOLS_SIEVE_LINE_WRITER_H_
#define ONELINE_TOOLS_SIEVE_LINE_WRITER_H_

#include <csignal>
#include <cstddef>
#include <string_view>

#include "absl/status/status.h"

namespace oneline {

// Not thread-safe.
class LineWriter {
 public:
  // `while_waiting`: as in WaitUntilReady.
  LineWriter(int fd, const sigset_t& while_waiting);

  // Writes lines, each of which ends with a newline. Adds to `*written` the
  // bytes that were written. Cancelled if a signal came and a pipe or
  // terminal takes no more; what was written then ends with a newline, unless
  // the line is longer than PIPE_BUF (4 KiB). Other errors are those of
  // write().
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

#endif  // ONELINE_TOOLS_SIEVE_LINE_WRITER_H_
