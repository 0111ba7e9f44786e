// Chooses the bits per key for the filters of each level of an LSM tree, so
// that lookups of absent keys meet the fewest false positives that are possible
// with a given amount of memory.
//
// A lookup of an absent key asks one filter of every sorted run, and each false
// positive costs a read. One more bit per key costs less memory in a small run
// than in a large one, but a false positive costs the same in both: so small
// runs get more bits per key (Dayan, Athanassoulis, Idreos, "Monkey: Optimal
// Navigable Key-Value Store", SIGMOD 2017). docs/internals/allocation.md has
// the derivation for our kinds of filters, whose false-positive rate is not
// exponential in the bits. The policy, which does not know the tree, has
// numbers that come near to it (filter_policy/options/tree_bits.h).
//
// All functions are thread-safe. The first call for a kind takes some tens of
// milliseconds to compute the kind's rates. Later calls take a millisecond,
// MinBitsForFalsePositives some tens of milliseconds.

#ifndef ONELINE_TOOLS_ALLOCATION_LEVEL_ALLOCATION_H_
#define ONELINE_TOOLS_ALLOCATION_LEVEL_ALLOCATION_H_

#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// The sorted runs of one level: several in level 0, one in every deeper level.
struct TreeLevel {
  double keys = 0;  // in each run; >= 0, only the ratios between levels matter
  int runs = 1;     // 0 or more
  Kind kind = Kind::kRibbon;
  // Of the lookups that come to these runs, the share whose key is in none of
  // them: only these can waste a read there. Less than 1 in a last level where
  // lookups find their keys.
  double absent = 1;
};

// A tree under leveled compaction.
struct TreeShape {
  int level0_runs = 4;
  double level0_run_size = 0.25;  // number of keys / that of level 1
  // The size of level 2, 3, ... divided by that of the level above: {10, 10}
  // are three levels with sizes 1, 10 and 100.
  std::vector<double> size_ratios;
};

// Its runs: level 0 and the levels below it, size_ratios.size() + 2 levels in
// all, with `total_keys` together. All are of kind Ribbon.
std::vector<TreeLevel> LeveledTree(const TreeShape& shape,
                                   double total_keys = 1);

// Returns the bits per key for each level: 0 for no filter, otherwise 1 to 100,
// in thousandths. Levels without keys or runs get 0.
//
// The false positives of all runs are within a thousandth of the minimum for
// `bits_per_key`, the average over all keys of the tree (or the best of the
// first thousand allocations tried: trees of many levels of the same size with
// few bits have that many). The memory never exceeds this average. It is less
// by rounding down to thousandths, and where the rest is of no use: if every
// level has (nearly) its 100 bits, or if the rest is too small for a filter of
// a run that has none. REQUIRES: bits_per_key >= 0.
std::vector<double> AllocateBits(const std::vector<TreeLevel>& tree,
                                 double bits_per_key);

// The expected number of reads that a lookup wastes: the sum of the rates of
// all runs, times `absent`. A run without a filter has the rate 1, a run
// without keys 0. REQUIRES: one element of `bits_per_key` for each level, 0 or
// 1 to 100.
double ExpectedFalsePositives(const std::vector<TreeLevel>& tree,
                              const std::vector<double>& bits_per_key);

// The inverse of AllocateBits: the smallest average bits per key, in
// thousandths, for at most so many ExpectedFalsePositives; 100 if no average is
// enough. REQUIRES: false_positives >= 0.
double MinBitsForFalsePositives(const std::vector<TreeLevel>& tree,
                                double false_positives);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ALLOCATION_LEVEL_ALLOCATION_H_
