// The bits per key that options ask for.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_
#define ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_

#include "oneline/filter_options.h"

namespace oneline {

// Bits per key as filters are built with them: in thousandths, and 0 for "no
// filter", otherwise 1 or more (see FilterOptions::bits_per_key).
// REQUIRES: bits_per_key in 0..100.
double RoundedBitsPerKey(double bits_per_key);

// With fewer bits per key on average, the largest level may get no filter.
inline constexpr double kFiltersForAllLevels = 4;

// Whether tables of different levels get different bits per key because of
// `allocation`, if the database compacts by levels or universally.
bool AllocatesByLevel(const FilterOptions& options);

// The bits per key, rounded so, for filters of this kind where the level of the
// table is not known: `allocation` is ignored, and the last of
// level_bits_per_key is taken. Takes some ten milliseconds with an fp_rate.
// REQUIRES: valid options.
double EffectiveBitsPerKey(const FilterOptions& options, Kind kind);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_BITS_PER_KEY_H_
