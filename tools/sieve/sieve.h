// The parts of `oneline sieve`: sieve.cc has the command.

#ifndef ONELINE_TOOLS_SIEVE_SIEVE_H_
#define ONELINE_TOOLS_SIEVE_SIEVE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "membership/urls/url_store.h"

namespace oneline {

// Copies the lines of standard input that the store has not seen to standard
// output, in order, until the input ends or SIGINT or SIGTERM comes; then
// brings the store to the disk. Returns the exit code. A line is written before
// the store remembers it: whatever happens, none is lost, but those of the last
// moment may be written again by the next run. Warns on standard error when
// more than `capacity` lines have been seen, unless that is 0.
absl::StatusOr<int> SieveLines(UrlStore& store, uint64_t capacity);

// Prints what a folder of --db or a file of --save holds.
absl::StatusOr<int> SieveInfo(const std::string& path);

// Fills a filter for so many keys, looks up as many others and prints memory,
// time, and the predicted and the measured false-positive rate. Exit code 1 if
// the two differ by more than chance, or a key was lost.
absl::StatusOr<int> SieveSelfTest(uint64_t num_keys, double fp_rate);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIEVE_SIEVE_H_
