// The most memory that the program had allocated with operator new since
// ResetPeakMemory. A program that links this has an operator new that counts;
// shared libraries, RocksDB's too, then use it.

#ifndef ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_
#define ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_

#include <cstddef>

namespace oneline {

// From here on, what is allocated now counts as nothing.
void ResetPeakMemory();

// In bytes, as malloc rounds them, since then.
size_t PeakMemory();

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_
