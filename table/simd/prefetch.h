// The first half of every kernel's batch: ask for all lines, so that their
// cache misses overlap, before any is read.

#ifndef ONELINE_TABLE_SIMD_PREFETCH_H_
#define ONELINE_TABLE_SIMD_PREFETCH_H_

#include <cstddef>
#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/simd/probe.h"

namespace oneline {

// Asks for the whole line: blocks lie at 16, 32 or 48 mod 64 in memory more
// often than not, where a
// line of the filter lies in two of the processor's.
inline void PrefetchLine(const uint8_t* line) {
  __builtin_prefetch(line);
  __builtin_prefetch(line + kLineBytes - 1);
}

// Prefetches the lines of the first min(n, kBatchKeys) hashes, stores where
// they are in `found` and returns how many.
inline size_t PrefetchLines(const uint8_t* lines, uint32_t num_lines,
                            const uint64_t* hashes, size_t n,
                            const uint8_t* found[kBatchKeys]) {
  if (n > kBatchKeys) n = kBatchKeys;
  for (size_t i = 0; i < n; ++i) {
    found[i] = lines + kLineBytes * LineIndex(hashes[i], num_lines);
    PrefetchLine(found[i]);
  }
  return n;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_PREFETCH_H_
