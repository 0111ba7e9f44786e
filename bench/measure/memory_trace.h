// Records which bytes of a memory area a function reads. The function runs one
// instruction at a time, by the processor's trap flag, and each instruction is
// decoded before it runs, with the current registers. So the trace is that of
// the real code, including vector instructions of every width.
//
// Needs Linux on x86-64. A step takes microseconds, so this is for counting and
// not for timing.

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
  size_t bytes;  // 1 for a prefetch; the full width for a masked load
};

// The reads and prefetches of `f` that touch [begin, begin + bytes), in order.
// Each element of a gather is a read of its own. Writes are left out. Ends the
// program with a message if an instruction of `f` is unknown, or if the machine
// does not run single steps.
//
// REQUIRES: `f` does not handle SIGTRAP and makes no system call; one thread at
// a time calls this.
std::vector<MemoryAccess> TraceReads(const void* begin, size_t bytes,
                                     const std::function<void()>& f);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_MEMORY_TRACE_H_
