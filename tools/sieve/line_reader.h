// Lines of any bytes and any length from a file descriptor.

#ifndef ONELINE_TOOLS_SIEVE_LINE_READER_H_
#define ONELINE_TOOLS_SIEVE_LINE_READER_H_

#include <csignal>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

class LineReader {
 public:
  // `while_waiting`: the signals that are blocked while it waits for input, and
  // then only.
  LineReader(int fd, const sigset_t& while_waiting);

  // Lines that are there, 1 to 8192, without their newlines; waits for the
  // first. None at the end of the input, whose last line needs no newline. They
  // are valid until the next call, and take less than 512 KiB unless one of
  // them is longer. Cancelled if a signal came in the meantime: a line that had
  // only begun is then given up.
  absl::StatusOr<std::vector<std::string_view>> Next();

 private:
  // Reads once; false at the end of the input.
  absl::StatusOr<bool> Fill();
  // Takes a line from the buffer; false if none is complete.
  bool TakeLine(std::string_view* line);

  const int fd_;
  const sigset_t while_waiting_;
  std::vector<char> buffer_;
  size_t begin_ = 0;    // of the line that is not complete
  size_t scanned_ = 0;  // no newline from begin_ up to here
  size_t end_ = 0;      // of what was read
  bool at_end_ = false;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_LINE_READER_H_
