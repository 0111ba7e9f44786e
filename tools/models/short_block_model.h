// The false-positive rates of LevelDB's short blocks, in advance.

#ifndef ONELINE_TOOLS_MODELS_SHORT_BLOCK_MODEL_H_
#define ONELINE_TOOLS_MODELS_SHORT_BLOCK_MODEL_H_

#include <cstddef>

#include "table/short_block/short_block.h"

namespace oneline {

// The rate to expect of a block for that many keys, with this content in lines
// of this shape: keys fall on lines at random, so the keys of a line are
// binomial. REQUIRES: num_keys > 0; effort in kMinEffort..kMaxEffort.
double ShortBlockFpRate(const ShortBlockContent& content, size_t num_keys,
                        const ShortBlockShape& shape, int effort);

// Of the block that AppendShortBlock makes. Inline, so that only programs that
// call it are linked to table/short_block/. REQUIRES: bits_per_key in 1..100.
inline double ShortBlockFpRate(const KindTraits& asked, size_t num_keys,
                               double bits_per_key,
                               int effort = kDefaultEffort) {
  const ShortBlockShape shape = ShortBlockShapeFor(num_keys, bits_per_key);
  return ShortBlockFpRate(ShortBlockContentFor(asked, num_keys, shape),
                          num_keys, shape, effort);
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_SHORT_BLOCK_MODEL_H_
