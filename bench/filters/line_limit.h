// Lower bounds of the false-positive rate of filters.

#ifndef ONELINE_BENCH_FILTERS_LINE_LIMIT_H_
#define ONELINE_BENCH_FILTERS_LINE_LIMIT_H_

namespace oneline {

// The bound for any filter: 2^-bits_per_key (Carter, Floyd, Gill, Markowsky,
// Wegman, "Exact and Approximate Membership Testers", STOC 1978).
double FpRateLimit(double bits_per_key);

// The bound for filters of many lines of 512 bits, of which a lookup reads one.
// The N keys of a line share its bits, and N is Poisson(512 / bits_per_key), so
// the rate is E[2^(-512 / N)]; an empty line has no false positives. (Below 3
// bits per key this is lower than FpRateLimit, because it leaves out the bits
// that a filter needs to store the number of keys of each line.)
// REQUIRES: bits_per_key >= 1.
double OneLineFpRateLimit(double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_LINE_LIMIT_H_
