// Lookups in the lines of a filter: what a kernel of a kind of filter is.
//
// The portable kernel of a kind defines the answers; the others are held to it
// by tests/table/block/kernels_test.cc. A kernel's file defines Probe and
// ProbeShort, the lookups in one line, and includes lookups.inc, which has
// Batch.

#ifndef ONELINE_TABLE_SIMD_LOOKUPS_H_
#define ONELINE_TABLE_SIMD_LOOKUPS_H_

#include <cstddef>
#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/simd/instruction_sets.h"

namespace oneline {

// Lookups prefetched together: RocksDB's MultiGet asks for at most as many.
inline constexpr size_t kBatchKeys = 32;

// What a lookup must know besides the line and the hash, the same for all lines
// of a filter.
struct LineContext {
  // The kind's own table for its parameter: of kind 2 a RibbonMasks. It lives
  // as long as the process.
  const void* table = nullptr;
  // The kind's own parameter: of kind 1 the number of probes.
  uint8_t parameter = 0;
};

// A line of a short block, of 8 to 64 bytes (table/short_block/short_block.h).
struct ShortLine {
  const uint8_t* bytes;
  uint32_t num_bytes;
};

// How one kind of filter answers. Lines may be unaligned; no byte outside the
// line is read. Thread-safe.
struct ProbeKernel {
  // Whether the key with this hash may be in the 64-byte line.
  bool (*one)(const uint8_t* line, uint64_t hash, LineContext context);

  // The same for `n` hashes (any number) over an array of lines: first
  // prefetches every line, then reads them.
  void (*batch)(const uint8_t* lines, uint32_t num_lines,
                const uint64_t* hashes, size_t n, LineContext context,
                bool* may_match);

  // As `one`, for a line of a short block. The context's table is for lines of
  // that length.
  bool (*short_line)(ShortLine line, uint64_t hash, LineContext context);
};

using ProbeKernels = Kernels<ProbeKernel>;

// Asks for the whole line. Blocks lie at 16, 32 or 48 mod 64 in memory more
// often than not, where a line of the filter lies in two of the processor's.
inline void PrefetchLine(const uint8_t* line) {
  __builtin_prefetch(line);
  __builtin_prefetch(line + kLineBytes - 1);
}

// Prefetches the lines of the first min(n, kBatchKeys) hashes, so that their
// cache misses overlap, stores where they are in `found` and returns how many.
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

#endif  // ONELINE_TABLE_SIMD_LOOKUPS_H_
