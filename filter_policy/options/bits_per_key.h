// The bits per key that options ask for.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_
#define ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_

#include "oneline/filter_options.h"

namespace oneline {

// Where the options ask for no size.
inline constexpr double kDefaultBitsPerKey = 10;

// Bits per key as filters are built with them: in thousandths, and 0 for "no
// filter", otherwise 1 or more (see FilterOptions::bits_per_key).
// REQUIRES: bits_per_key in 0..100.
double RoundedBitsPerKey(double bits_per_key);

// The bits per key, rounded so, that options ask for; tree_bits.h has those of
// each level.
// REQUIRES: valid options without level_bits_per_key.
double AskedBitsPerKey(const FilterOptions& options, Kind kind);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_
