// Chooses the bits per key for the filters of each level of an LSM tree, so
// that lookups of absent keys meet the fewest false positives that are possible
// with a given amount of memory.
//
// A lookup of an absent key asks one filter of every sorted run, and each false
// positive costs a read. One more bit per key costs less memory in a small run
// than in a large one, but a false positive costs the same in both: so small
// runs get more bits per key (Dayan, Athanassoulis, Idreos, "Monkey: Optimal
// Navigable Key-Value Store", SIGMOD 2017). docs/allocation.md has the
// derivation for our kinds of filters, whose false-positive rate is not
// exponential in the bits. Where a read of one level costs more than that of
// another, false positives count by their cost.
//
// All functions are thread-safe. The first call for a kind and effort takes
// some tens of milliseconds to compute the kind's rates. Later calls take a
// millisecond, MinBitsForReadCost some tens of milliseconds.

#ifndef ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_
#define ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_

#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// The sorted runs of one level: several in level 0, one in every deeper level.
struct TreeLevel {
  double keys = 0;  // in each run; >= 0, only the ratios between levels matter
  int runs = 1;     // 0 or more
  Kind kind = Kind::kRibbon;
  // Of a false positive; > 0, only the ratios between levels matter.
  double read_cost = 1;
};

// For option last_level_cost: sets the read_cost of the level with the most
// keys and of those after it, which may just have begun to fill, and that of
// the levels before it to 1. REQUIRES: cost > 0.
void SetLastLevelCost(double cost, std::vector<TreeLevel>* tree);

// Which levels have a filter.
enum class Filters {
  kWhereTheyPay,
  kForAllLevels,  // of 1 bit per key or more
};

// Returns the bits per key for each level: 0 for no filter, otherwise 1 to 100,
// in thousandths. Levels without keys or runs get 0.
//
// The cost of the false positives of all runs is within a thousandth of the
// minimum for `bits_per_key`, the average over all keys of the tree. The memory
// never exceeds this average. It is less by rounding down to thousandths, and
// where the rest is of no use: if every level has (nearly) its 100 bits, or if
// the rest is too small for a filter of a run that has none.
// REQUIRES: bits_per_key >= 0, and >= 1 if all levels have filters; effort in
// kMinEffort..kMaxEffort.
std::vector<double> AllocateBits(const std::vector<TreeLevel>& tree,
                                 double bits_per_key, int effort,
                                 Filters filters = Filters::kWhereTheyPay);

// The expected number of false positives of a lookup of an absent key: the sum
// of the rates of all runs. A run without a filter counts 1, a run without keys
// 0. REQUIRES: one element of `bits_per_key` for each level, 0 or 1 to 100.
double ExpectedFalsePositives(const std::vector<TreeLevel>& tree,
                              const std::vector<double>& bits_per_key,
                              int effort);

// The same, with each false positive counted as the read_cost of its level.
double ExpectedReadCost(const std::vector<TreeLevel>& tree,
                        const std::vector<double>& bits_per_key, int effort);

// The memory of all filters, in bits for each key of the tree; 0 if it has no
// keys.
double AverageBitsPerKey(const std::vector<TreeLevel>& tree,
                         const std::vector<double>& bits_per_key);

// The inverse of AllocateBits: the smallest average bits per key, in
// thousandths, for at most so much ExpectedReadCost; 100 if no average is
// enough. REQUIRES: read_cost >= 0.
double MinBitsForReadCost(const std::vector<TreeLevel>& tree, double read_cost,
                          int effort);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ALLOCATION_LEVEL_ALLOCATION_H_
