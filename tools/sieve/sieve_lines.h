// The main loop of `oneline sieve`: reads lines, writes the new ones.

#ifndef ONELINE_TOOLS_SIEVE_SIEVE_LINES_H_
#define ONELINE_TOOLS_SIEVE_SIEVE_LINES_H_

#include <csignal>
#include <cstdint>

#include "absl/status/statusor.h"
#include "membership/urls/url_frontier.h"

namespace oneline {

// Copies the lines of standard input that the frontier has not seen to standard
// output, in order, until the input ends or SIGINT or SIGTERM comes; then syncs
// the frontier to disk. Returns the exit code. A line is written before the
// frontier remembers it, and, if the output is a file, on the disk before the
// frontier may be.
//
// `capacity` is 0 if the frontier is on disk; otherwise warns on standard error
// when more distinct lines than that have been seen. `while_waiting` is from
// CatchStopSignals, called before the frontier was opened.
absl::StatusOr<int> SieveLines(UrlFrontier& frontier, uint64_t capacity,
                               const sigset_t& while_waiting);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_SIEVE_LINES_H_
