// The fewest false positives that any filter can have.

#ifndef ONELINE_BENCH_FILTERS_LINE_LIMIT_H_
#define ONELINE_BENCH_FILTERS_LINE_LIMIT_H_

namespace oneline {

// For any filter at all: 2^-bits_per_key (Carter, Floyd, Gill, Markowsky,
// Wegman, "Exact and Approximate Membership Testers", STOC 1978).
double FpRateLimit(double bits_per_key);

// For filters of many lines of 512 bits, of which a lookup reads one: the keys
// of a line, whose number N is Poisson(512 / bits_per_key), can have no more
// than its bits, so that the rate is E[2^(-512 / N)], an empty line passing
// nothing. (Below 3 bits per key that is less than FpRateLimit: it leaves out
// what a filter would take to know the number of keys of each line.)
// REQUIRES: bits_per_key >= 1.
double OneLineFpRateLimit(double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_LINE_LIMIT_H_
