// How many lines a filter has for its keys.

#ifndef ONELINE_TABLE_BLOCK_LINE_COUNT_H_
#define ONELINE_TABLE_BLOCK_LINE_COUNT_H_

#include <cstddef>
#include <cstdint>

namespace oneline {

// Lines that `num_keys` keys get at `bits_per_key` (trailer not counted):
// rounded up, at least 1 if there is a key, at most kMaxLines.
uint32_t LinesFor(size_t num_keys, double bits_per_key);

// The most lines that leave the block and its trailer under 4 GiB, the limit
// of a RocksDB block.
inline constexpr uint32_t kMaxLines = (uint32_t{1} << 26) - 1;

// The most lines of a block, with its trailer, of at most `bytes`.
uint32_t LinesWithin(size_t bytes);

// The most keys that get at most `num_lines` lines. Of kMaxLines, which any
// number of keys share if need be: the most that get their bits_per_key.
// REQUIRES: bits_per_key > 0.
size_t KeysFor(uint32_t num_lines, double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_LINE_COUNT_H_
