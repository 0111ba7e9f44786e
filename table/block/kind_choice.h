// What the models of the kinds say together: how many bits a key needs, and
// which kind serves a key better with the bits that it has.

#ifndef ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
#define ONELINE_TABLE_BLOCK_KIND_CHOICE_H_

#include "table/block/filter_kind.h"

namespace oneline {

// From this many bits per key on, a blocked Ribbon has fewer false positives
// than a blocked Bloom filter, at every effort. With fewer its lines hold more
// keys than the header has rows for, and those that can't be solved answer
// "maybe". Held to the models by tests/table/block/kind_choice_test.cc.
inline constexpr double kLeastRibbonBitsPerKey = 1.72;

// The kind to write where `asked` was asked for and a filter has this many bits
// for each key: the same, unless there are so few that another is better.
// Readers don't care, the block says what it is.
const FilterKind& KindToWrite(const FilterKind& asked, double bits_per_key);

// The false-positive rate to expect of a large filter that was asked for as
// `kind`.
double LargeFilterFpRate(const FilterKind& kind, double bits_per_key,
                         int effort = kDefaultEffort);

// The fewest bits per key, in thousandths, 1 to 100, with which a large filter
// has at most this false-positive rate; 100 if none has. Takes some ten
// milliseconds.
double BitsPerKeyFor(const FilterKind& kind, double fp_rate,
                     int effort = kDefaultEffort);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_KIND_CHOICE_H_
