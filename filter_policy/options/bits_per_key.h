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

// The bits per key, rounded so, that options ask for: bits_by_level can add to
// them.
// REQUIRES: valid options without level_bits_per_key.
double AskedBitsPerKey(const FilterOptions& options, Kind kind);

// How many times the bits per key that were asked for tables of level 0 get,
// with bits_by_level.
inline constexpr double kLevel0Factor = 1.4;

// The same for tables of a level so many levels above the last one, where each
// level has `size_ratio` times the keys of the one above it: 1 for the last.
//
// In a full tree the share of the keys that is i levels above the last one is
// (1 - 1/r) / r^i for size ratio r. Each of these levels gets i times 0.025 (r
// - 1) more. Sum of i (1 - 1/r) / r^i = 1 / (r - 1), so all filters together
// take 0.025 times more memory than was asked for, whatever the ratio.
double FactorAbove(double levels_above, double size_ratio);

// No table gets more bits than these because of its level: RocksDB from 10.9 on
// reckons with 2 bytes for each key of an open partition where it keeps files
// below their target size.
inline constexpr double kMostBits = 16;

// The bits per key for such a factor, rounded as above.
double BitsByLevel(double asked, double factor);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_
