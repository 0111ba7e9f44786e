// The largest amount of memory that a thread has allocated with operator new
// since its ResetPeakMemory. This library replaces operator new by one that
// counts, also for the shared libraries of the program, such as RocksDB's.

#ifndef ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_
#define ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_

#include <cstddef>

namespace oneline {

// Starts a new measurement. Memory that is allocated now is not counted.
void ResetPeakMemory();

// The peak since then, in bytes, with malloc's rounding.
size_t PeakMemory();

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_PEAK_MEMORY_H_
