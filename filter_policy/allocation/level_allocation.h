// Bits over levels: how many bits per key the filters of each level are to
// have, so that lookups of absent keys meet the fewest false positives that a
// given memory can buy.
//
// A lookup of an absent key asks the filter of every sorted run of the tree
// once, and each that passes it wrongly costs a read. A small run's filter is
// cheap and a large run's is dear, but a false positive costs the same in both:
// bits are worth more where there are fewer keys (Dayan, Athanassoulis, Idreos,
// "Monkey: Optimal Navigable Key-Value Store", SIGMOD 2017). docs/allocation.md
// has the derivation for our kinds, whose rate is not exponential in bits.
//
// All functions are thread-safe. The first call for a kind and effort takes
// some tens of milliseconds, for the kind's rates; later ones a millisecond,
// and LeastBitsPerKey some tens of them.

#ifndef ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_
#define ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_

#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// The sorted runs of one level: several in level 0, one in every deeper level.
struct TreeLevel {
  double keys = 0;  // in each run; 0 or more, only ratios matter
  int runs = 1;     // 0 or more
  Kind kind = Kind::kRibbon;
};

// Bits per key for each level: in thousandths, 0 for no filter, otherwise 1 to
// 100. The sum of the false-positive rates of all runs is the least that can be
// had with `bits_per_key` for each key of the tree on average, within a
// thousandth of it. The memory is never more than that, and less only by
// thousandths of a bit for each key, or where nothing is to be gained by it:
// because every level has its 100 bits, or nearly, or a run without a filter
// leaves less than its least filter takes. 0 bits also for levels without keys
// or runs.
// REQUIRES: bits_per_key >= 0; effort in kMinEffort..kMaxEffort.
std::vector<double> AllocateBits(const std::vector<TreeLevel>& tree,
                                 double bits_per_key, int effort);

// False positives to expect for each lookup of an absent key: the sum of the
// rates of all runs, 1 for each run without a filter. Runs without keys add
// nothing. REQUIRES: one element for each level; 0 or 1 to 100.
double ExpectedFalsePositives(const std::vector<TreeLevel>& tree,
                              const std::vector<double>& bits_per_key,
                              int effort);

// Memory of all filters, in bits for each key of the tree. 0 without keys.
double AverageBitsPerKey(const std::vector<TreeLevel>& tree,
                         const std::vector<double>& bits_per_key);

// The inverse of AllocateBits: the least average bits per key, in thousandths,
// with which that many false positives or fewer are to be expected; 100 if none
// is enough. REQUIRES: false_positives >= 0.
double LeastBitsPerKey(const std::vector<TreeLevel>& tree,
                       double false_positives, int effort);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_
