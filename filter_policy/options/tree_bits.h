// The bits per key that options request, and how they are spread over the
// levels of a tree.
//
// A lookup of an absent key queries a filter of each sorted run, and a false
// positive of a small run costs as much as one of a large run, but the bits
// that prevent it cost less. So each level has more bits than the one below it;
// docs/internals/allocation.md has the derivation.
//
//   bits_per_key  the filters of a tree of full levels take what was requested:
//                 the last level has as much less as the others have more
//   fp_rate       the last level has the bits for the rate, others have more
//   hits          the last level has fewer bits yet
//   16            bits per key or more are the same in all levels

#ifndef ONELINE_FILTER_POLICY_OPTIONS_TREE_BITS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_TREE_BITS_H_

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

// No level gets more bits than these, unless more were requested. A rate of one
// in 20,000 is small beside those of the levels below; and RocksDB from 10.9 on
// reckons with 2 bytes for each key of an open partition where it keeps files
// below their target size.
inline constexpr double kMostBits = 16;

// Level 0 gets so many more than were requested: a tenth of the rate. In a tree
// of few write buffers it has a third of the keys, and more bits would cost
// more there than they save.
inline constexpr double kLevel0More = 4;

struct TreeSizes {
  double size_ratio = 10;  // 1 or more; as by RocksDB's default
  // How many steps the last level pays for the others, that is the levels above
  // the last that a key is on average.
  double steps_paid = 0;

  // Of a tree of full levels. A share (1 - 1/r) r^-i of the keys is i levels
  // above the last, so it is 1 / (r - 1) for size ratio r; and level 0 is 1 %
  // or so of the keys, some two steps above the last.
  static TreeSizes Full(double size_ratio) {
    return {size_ratio, size_ratio > 1 ? 1 / (size_ratio - 1) + 0.02 : 0};
  }
};

// Bits per key as RoundedBitsPerKey rounds them: 0 for no filter.
class TreeBits {
 public:
  // `requested`: as from RequestedBitsPerKey for the kind of the tables.
  TreeBits(const FilterOptions& options, double requested,
           const TreeSizes& sizes);

  // Of tables of the last level. With hits this can be 0.
  double last() const { return last_; }

  // Of tables so many levels above the last one; 0 counts as the last level at
  // no hits.
  double Above(double levels) const;

  double level0() const;

 private:
  double Limited(double bits) const;

  double requested_;
  double step_;  // what each level has more than the one below it
  double base_;  // of the last level at no hits
  double last_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_TREE_BITS_H_
