// Which bytes of a piece of memory a function reads: the function runs one
// instruction at a time, with the processor's trap flag, and each instruction
// is decoded before it runs, with the registers as they are then. So what is
// seen is the real code, vector instructions of every width included.
//
// Linux on x86-64. A step takes microseconds: for counting, not for timing.

#ifndef ONELINE_BENCH_MEASURE_MEMORY_TRACE_H_
#define ONELINE_BENCH_MEASURE_MEMORY_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace oneline {

struct MemoryAccess {
  enum Type { kRead, kPrefetch };

  Type type;
  uintptr_t address;
  size_t bytes;  // 1 for a prefetch; a masked load counts whole
};

// The reads and prefetches of `f` that touch [begin, begin + bytes), in their
// order; elements of a gather count one by one. Writes are left out. Ends the
// program with a message if an instruction of `f` is unknown, or if the
// machine does not run single steps.
//
// REQUIRES: `f` handles no SIGTRAP and makes no system call; one thread at a
// time.
std::vector<MemoryAccess> TraceReads(const void* begin, size_t bytes,
                                     const std::function<void()>& f);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_MEMORY_TRACE_H_
