// The bits per key that options request. How they are spread over the levels of
// a tree is oneline/level_filters.h.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_

#include "oneline/filter_options.h"

namespace oneline {

// Where the options request no size.
inline constexpr double kDefaultBitsPerKey = 10;

// Bits per key as filters are built with them: in thousandths, and 0 for "no
// filter", otherwise 1 or more (see FilterOptions::bits_per_key).
// REQUIRES: bits_per_key in 0..100.
double RoundedBitsPerKey(double bits_per_key);

// The bits per key, rounded so, that options request.
// REQUIRES: valid options without level_bits_per_key.
double RequestedBitsPerKey(const FilterOptions& options, Kind kind);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_REQUESTED_BITS_H_
