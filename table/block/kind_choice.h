// Which kind to write with the bits per key that there are, and how many a rate
// takes. Rates are looked up: RocksDB makes a policy anew for each column
// family whenever it writes an OPTIONS file.

#ifndef ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
#define ONELINE_TABLE_BLOCK_KIND_CHOICE_H_

#include "table/block/filter_kind.h"

namespace oneline {

// From this many bits per key on, a blocked Ribbon filter has fewer false
// positives than a blocked Bloom filter. With fewer, lines hold more keys than
// their header can give rows for, and answer "maybe".
// tests/tools/models/kind_model_test.cc checks this number against the models.
inline constexpr double kMinRibbonBitsPerKey = 2.15;

// The kind to write for a filter that has this many bits per key: `kind`, or
// another one if there are too few bits for it. The block names its kind.
const KindTraits& EffectiveKind(const KindTraits& kind, double bits_per_key);

// The false-positive rate of a large filter of the kind that is written where
// `kind` is requested (see EffectiveKind): that of the model within 2 % below 6
// bits per key and within 0.3 % above. As with 100 bits if there are more.
// REQUIRES: bits_per_key > 0.
double LargeFilterFpRate(const KindTraits& kind, double bits_per_key);

// The fewest bits per key, 1 to 100 in thousandths, with which a large filter
// has this false-positive rate by LargeFilterFpRate; 100 if none has.
double BitsPerKeyFor(const KindTraits& kind, double fp_rate);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
