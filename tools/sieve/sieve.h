// The parts of `oneline sieve`: sieve.cc has the command.

#ifndef ONELINE_TOOLS_SIEVE_SIEVE_H_
#define ONELINE_TOOLS_SIEVE_SIEVE_H_

#include <csignal>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "membership/urls/url_store.h"

namespace oneline {

// Copies the lines of standard input that the store has not seen to standard
// output, in order, until the input ends or SIGINT or SIGTERM comes; then syncs
// the store to disk. Returns the exit code. A line is written before the store
// remembers it, and is on the disk before the store may be, if the output is a
// file: after a crash no line is lost, but the last ones may be written again
// by the next run. Unless `capacity` is 0, warns on standard error when more
// distinct lines than that have been seen. `while_waiting` is from
// CatchStopSignals, called before the store was opened. Errors: those of the
// store and of standard input and output.
absl::StatusOr<int> SieveLines(UrlStore& store, uint64_t capacity,
                               const sigset_t& while_waiting);

// Describes a folder made with --db, or a file made with --save, on standard
// output. Returns the exit code.
absl::StatusOr<int> SieveInfo(const std::string& path);

// Fills a filter with `num_keys` keys, looks up as many absent ones (at most
// 100 million), and prints memory, time, and the predicted and the measured
// false-positive rate. Returns exit code 1 if the two differ by more than
// chance explains, or if a key was lost.
absl::StatusOr<int> SieveSelfTest(uint64_t num_keys, double fp_rate);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_SIEVE_H_
