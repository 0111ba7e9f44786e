// The lines of a filter: what a kind of filter does with them, and what a
// kernel is, which looks keys up in them.
//
// The portable kernel of a kind defines the answers; the others are held to it
// by tests/table/block/kernels_test.cc. A kernel is a namespace with the
// lookups in one line, which includes lookups.inc for the rest.

#ifndef ONELINE_TABLE_SIMD_LOOKUPS_H_
#define ONELINE_TABLE_SIMD_LOOKUPS_H_

#include <cstddef>
#include <cstdint>

#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/instruction_sets.h"

namespace oneline {

// Lookups prefetched together: RocksDB's MultiGet asks for at most as many.
inline constexpr size_t kBatchKeys = 32;

namespace blocked_ribbon {
struct RibbonMasks;
}

// What a lookup must know besides the line and the hash, the same for all lines
// of a filter.
struct LineContext {
  // Of kind 2, for its parameter. They live as long as the process.
  const blocked_ribbon::RibbonMasks* masks = nullptr;
  // The kind's own parameter: of kind 1 the number of probes.
  uint8_t parameter = 0;
};

// The lines of a filter, and what a lookup in them must know besides the key.
struct FilterLines {
  const uint8_t* bytes = nullptr;
  uint32_t num_lines = 1;
  uint64_t seed = 0;  // of the key hash
  LineContext context;

  const uint8_t* LineOf(uint64_t hash) const {
    return bytes + kLineBytes * LineIndex(hash, num_lines);
  }
};

// A line of a short block, of 8 to 64 bytes (table/short_block/short_block.h).
struct ShortLine {
  const uint8_t* bytes;
  uint32_t num_bytes;
};

// Asks for the whole line. Blocks lie at 16, 32 or 48 mod 64 in memory more
// often than not, where a line of the filter lies in two of the processor's.
inline void PrefetchLine(const uint8_t* line) {
  __builtin_prefetch(line);
  __builtin_prefetch(line + kLineBytes - 1);
}

// How one kind of filter answers. Lines may be unaligned; no byte outside the
// line is read. Thread-safe.
struct ProbeKernel {
  // Whether the key may be in the filter: all of a lookup in one function, in
  // which the processor finds the most to do at once.
  bool (*key)(const FilterLines& lines, const char* key, size_t num_bytes);

  // The same for the key's hash.
  bool (*hash)(const FilterLines& lines, uint64_t hash);

  // The same for `n` keys, at most kBatchKeys, whose cache misses overlap.
  void (*batch)(const FilterLines& lines, const uint64_t* hashes, size_t n,
                bool* may_match);

  // Whether the key with this hash may be in the line of a short block. The
  // context is that of lines of this length.
  bool (*short_line)(ShortLine line, uint64_t hash, LineContext context);
};

using ProbeKernels = Kernels<ProbeKernel>;

// How a kind of filter fills and reads its lines of 64 bytes.
struct LineFormat {
  // The kind's parameter, a byte of the trailer: chosen for the bits per key
  // requested, and the keys and lines that the filter turned out to have.
  // REQUIRES: num_lines > 0.
  uint8_t (*choose_parameter)(double bits_per_key, size_t num_keys,
                              uint32_t num_lines);
  // Whether a reader can use a filter with this parameter.
  bool (*valid_parameter)(uint8_t parameter);

  // Fills `lines`, num_lines * 64 zero bytes, so that each of the hashes
  // passes. May reorder the hashes, on which the bytes depend as a set. Takes
  // less than 1 MiB besides. REQUIRES: num_lines > 0.
  void (*build)(HashList& hashes, uint8_t parameter, uint8_t* lines,
                uint32_t num_lines);

  // The share of absent keys that pass this one line, whatever it holds.
  double (*fp_rate)(const uint8_t* line, uint8_t parameter);

  // What lookups in lines of `line_bytes` need. REQUIRES: valid_parameter;
  // line_bytes in 8..64.
  LineContext (*context)(uint8_t parameter, uint32_t line_bytes);

  const ProbeKernels* kernels;
};

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_LOOKUPS_H_
