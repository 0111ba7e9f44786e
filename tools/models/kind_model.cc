#include "tools/models/kind_model.h"

#include <cassert>

#include "table/block/line_count.h"

namespace oneline {

double ModelledFpRate(const KindTraits& kind, double bits_per_key,
                      uint8_t parameter) {
  switch (kind.id) {
    case kBloomId:
      return BlockedBloomFpRate(bits_per_key, parameter);
    case kRibbonId:
      return BlockedRibbonFpRate(bits_per_key, parameter);
  }
  assert(false && "a kind without a model");
  return 1;
}

double ModelledFpRate(const KindTraits& kind, double bits_per_key) {
  // So many that the number of keys in a line averages out.
  constexpr uint32_t kManyLines = 1 << 20;
  const uint8_t parameter = kind.lines->choose_parameter(
      bits_per_key, KeysFor(kManyLines, bits_per_key), kManyLines);
  return ModelledFpRate(kind, bits_per_key, parameter);
}

}  // namespace oneline
