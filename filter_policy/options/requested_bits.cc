#include "filter_policy/options/requested_bits.h"

#include <cassert>
#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {

double RoundedBitsPerKey(double bits_per_key) {
  const double bits = std::round(bits_per_key * 1000) / 1000;
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

double RequestedBitsPerKey(const FilterOptions& options, Kind kind) {
  assert(options.level_bits_per_key.empty());
  return options.fp_rate.has_value()
             ? BitsPerKeyFor(*FindKind(kind), *options.fp_rate)
             : RoundedBitsPerKey(
                   options.bits_per_key.value_or(kDefaultBitsPerKey));
}

}  // namespace oneline
