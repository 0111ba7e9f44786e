#include "filter_policy/options/bits_per_key.h"

#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {

double RoundedBitsPerKey(double bits_per_key) {
  const double bits = std::round(bits_per_key * 1000) / 1000;
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

bool AllocatesByLevel(const FilterOptions& options) {
  // No filter at all is for those who ask for `monkey`.
  if (options.allocation != Allocation::kAuto) {
    return options.allocation == Allocation::kMonkey;
  }
  return options.level_bits_per_key.empty() && !options.fp_rate.has_value() &&
         options.bits_per_key.value_or(kDefaultBitsPerKey) >=
             kFiltersForAllLevels;
}

double EffectiveBitsPerKey(const FilterOptions& options, Kind kind) {
  if (!options.level_bits_per_key.empty()) {
    return RoundedBitsPerKey(options.level_bits_per_key.back());
  }
  if (options.fp_rate.has_value()) {
    return BitsPerKeyFor(*FindKind(kind), *options.fp_rate, options.effort);
  }
  return RoundedBitsPerKey(options.bits_per_key.value_or(kDefaultBitsPerKey));
}

}  // namespace oneline
