// How large a short block (short_block.h) is, and what that gives: its lines,
// and its false-positive rate in advance.

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

// The false-positive rate to expect of a block for that many keys: keys fall on
// lines at random, so the keys of a line are binomial. REQUIRES: as above.
double ShortBlockFpRate(const KindTraits& asked, size_t num_keys,
                        double bits_per_key, int effort = kDefaultEffort);

// From so many keys on, what one of them needs hardly changes any more.
inline constexpr size_t kManyShortBlockKeys = 256;

// The fewest bits per key, in thousandths, 1 to 100, with which a block for
// that many keys has at most this false-positive rate; 100 if none has. The
// same for all numbers of keys from kManyShortBlockKeys on. Takes up to some
// ten milliseconds.
double ShortBlockBitsPerKeyFor(const KindTraits& asked, size_t num_keys,
                               double fp_rate, int effort = kDefaultEffort);

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_SIZING_H_
