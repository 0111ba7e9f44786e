// How many lines a filter has for its keys.

#ifndef ONELINE_TABLE_BLOCK_LINE_COUNT_H_
#define ONELINE_TABLE_BLOCK_LINE_COUNT_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"

namespace oneline {

// The most lines that leave the block and its trailer under 4 GiB, the limit
// of a RocksDB block.
inline constexpr uint32_t kMaxLines = (uint32_t{1} << 26) - 1;

// The lines, a whole number, that LinesFor would give if there were no limit.
inline double UnlimitedLines(size_t num_keys, double bits_per_key) {
  return std::ceil(static_cast<double>(num_keys) * bits_per_key / kLineBits);
}

// Lines that `num_keys` keys get at `bits_per_key` (trailer not counted):
// rounded up, at least 1 if there is a key, at most kMaxLines.
inline uint32_t LinesFor(size_t num_keys, double bits_per_key) {
  if (num_keys == 0) return 0;
  const double lines = UnlimitedLines(num_keys, bits_per_key);
  return static_cast<uint32_t>(std::clamp(lines, 1.0, double{kMaxLines}));
}

// The most lines of a block, with its trailer, of at most `bytes`.
inline uint32_t LinesWithin(size_t bytes) {
  if (bytes < kTrailerBytes) return 0;
  return static_cast<uint32_t>(
      std::min<size_t>((bytes - kTrailerBytes) / kLineBytes, kMaxLines));
}

// The most keys that get at most `num_lines` lines. Of kMaxLines, which any
// number of keys share if need be: the most that get their bits_per_key.
// REQUIRES: bits_per_key > 0.
inline size_t KeysFor(uint32_t num_lines, double bits_per_key) {
  const double lines = std::min(num_lines, kMaxLines);
  auto keys = static_cast<size_t>(lines * kLineBits / bits_per_key);
  // The division and UnlimitedLines' product round: where one is a whole
  // number, or nearly, they can differ by a key in either direction.
  while (UnlimitedLines(keys, bits_per_key) > lines) --keys;
  while (UnlimitedLines(keys + 1, bits_per_key) <= lines) ++keys;
  return keys;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_LINE_COUNT_H_
