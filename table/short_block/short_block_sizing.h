// How large a short block (short_block.h) is, and what lines that gives.

#ifndef ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_SIZING_H_
#define ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_SIZING_H_

#include <cstddef>
#include <cstdint>

#include "table/block/filter_kind.h"

namespace oneline {

// From so many bytes on, one load fetches the beginning of a line. The least
// that LevelDB's own filter has, too.
inline constexpr size_t kMinLineBytes = 8;

// How the lines of a block lie, and what is in them.
struct ShortBlockShape {
  uint32_t num_lines;
  uint32_t line_bytes;

  size_t lines_bytes() const { return size_t{num_lines} * line_bytes; }
  size_t block_bytes() const { return lines_bytes() + 1; }
};

// The shape of a block for that many keys. The block is to have num_keys *
// bits_per_key bits, envelope and all: to the nearest byte, then to the nearest
// with which all lines are equally long. No less than 9 bytes.
// REQUIRES: num_keys > 0; bits_per_key in 1..100.
ShortBlockShape ShortBlockShapeFor(size_t num_keys, double bits_per_key);

// What is written in lines of that shape where `asked` was asked for: see
// EffectiveKind.
struct ShortBlockContent {
  const KindTraits& kind;
  uint8_t parameter;  // probes, or base
};
ShortBlockContent ShortBlockContentFor(const KindTraits& asked, size_t num_keys,
                                       const ShortBlockShape& shape);

// The bits per key with which a block for that many keys has about the rate
// that a large filter has with `large_bits_per_key`. Not all bits of a short
// block are for keys: these are the envelope's byte, what rounding takes, and
// the header of a Ribbon's line, which is as long in a short one. By the model
// the rate is then at most 1.05 times that of the large filter for rates of 0.5
// to 1e-4, and from 0.1 to 0.001 the blocks of all numbers of keys are on
// average at most 5 % larger than the least that have this rate
// (short_block_model_test). REQUIRES: num_keys > 0; large_bits_per_key in
// 1..100.
double ShortBlockBitsPerKeyFor(const KindTraits& asked, size_t num_keys,
                               double large_bits_per_key);

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_SIZING_H_
