// The bits per key that options request. How they are spread over the levels of
// a tree is oneline/level_filters.h.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_

#include <cassert>
#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "oneline/filter_options.h"
#include "table/block/kind_choice.h"

namespace oneline {

// Where the options request no size.
inline constexpr double kDefaultBitsPerKey = 10;

// Bits per key as filters are built with them: in thousandths, and 0 for "no
// filter", otherwise 1 or more (see FilterOptions::bits_per_key).
// REQUIRES: bits_per_key in 0..100.
inline double RoundedBitsPerKey(double bits_per_key) {
  const double bits = std::round(bits_per_key * 1000) / 1000;
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

// The bits per key, rounded so, that options request.
// REQUIRES: valid options without level_bits_per_key.
inline double RequestedBitsPerKey(const FilterOptions& options, Kind kind) {
  assert(options.level_bits_per_key.empty());
  return options.fp_rate.has_value()
             ? BitsPerKeyFor(*FindKind(kind), *options.fp_rate)
             : RoundedBitsPerKey(
                   options.bits_per_key.value_or(kDefaultBitsPerKey));
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_
