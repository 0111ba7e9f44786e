#include "filter_policy/options/kind_traits.h"

namespace oneline {

static_assert(static_cast<uint8_t>(Kind::kBloom) == kBloomId);
static_assert(static_cast<uint8_t>(Kind::kRibbon) == kRibbonId);

const KindTraits* FindKind(Kind kind) {
  return FindKind(static_cast<uint8_t>(kind));
}

Kind KindOf(const KindTraits& traits) { return static_cast<Kind>(traits.id); }

Kind KindAtLevel(const FilterOptions& options, int level) {
  return level < options.bloom_before_level ? Kind::kBloom : options.kind;
}

}  // namespace oneline
