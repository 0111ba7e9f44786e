// Choices that compare the models of the kinds: which kind to write with the
// bits per key that there are, and how many a false-positive rate takes.

#ifndef ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
#define ONELINE_TABLE_BLOCK_KIND_CHOICE_H_

#include "table/block/filter_kind.h"

namespace oneline {

// From this many bits per key on, a blocked Ribbon filter has fewer false
// positives than a blocked Bloom filter, at every effort. (From 90 on Bloom has
// fewer again: both have next to none.) With fewer bits, lines hold more keys
// than their header can give rows for, and a line that cannot be solved answers
// "maybe" for every key.
// tests/table/block/kind_choice_test.cc checks this number against the models.
inline constexpr double kMinRibbonBitsPerKey = 2.15;

// The kind to write for a filter that has this many bits per key: `asked`, or
// another kind if there are too few bits for it. Readers need not know: the
// block names its kind.
const KindTraits& EffectiveKind(const KindTraits& asked, double bits_per_key);

// The false-positive rate that the model predicts for a large filter of the
// kind that is written where `kind` is asked for (see EffectiveKind).
double LargeFilterFpRate(const KindTraits& kind, double bits_per_key,
                         int effort = kDefaultEffort);

// The fewest bits per key, 1 to 100 in thousandths, with which a large filter
// has at most this false-positive rate; 100 if none has. Takes some ten
// milliseconds.
double BitsPerKeyFor(const KindTraits& kind, double fp_rate,
                     int effort = kDefaultEffort);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
