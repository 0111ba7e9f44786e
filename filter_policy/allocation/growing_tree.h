// The bits per key of a new table in an LSM tree of which all tables are known:
// those that are best for the tree as it is, in the memory that was asked for.
//
// A filter stays as it was written, but the tree goes on to change. So the
// filters of a tree that has grown are not the best ones for it, and may take
// more or less memory than was asked for. New tables make up for that: they get
// a little less if it is more, and a little more if it is less.
// docs/allocation.md has measurements.

#ifndef ONELINE_FILTER_POLICY_ALLOCATION_GROWING_TREE_H_
#define ONELINE_FILTER_POLICY_ALLOCATION_GROWING_TREE_H_

#include <map>

#include "oneline/filter_options.h"

namespace oneline {

// The tables of a level together. All numbers are >= 0.
struct LevelTables {
  int tables = 0;
  double keys = 0;
  double filter_bits = 0;
};

// By level, from 0 on. Each level but level 0 is one sorted run.
using TreeTables = std::map<int, LevelTables>;

struct NewTable {
  int level = 0;  // >= 0
  // Everything in its level and those above goes into it and the tables that
  // are written with it, as in universal compaction. Not for level 0, whose
  // tables are a run each.
  bool merges_all_above = false;
};

// What options say of level 0.
struct Level0Shape {
  int compaction_runs = 4;  // so many start a compaction
  int max_runs = 36;        // so many stop writes
  // For when level 0 is empty: the keys that a run had on average, 0 if none
  // was seen; then this many times those of the first level below when it is
  // full.
  double run_keys = 0;
  double run_size = 0.25;
};

// Returns 0 for no filter, otherwise 1 to 100, in thousandths. `average` are
// the bits per key asked for, over all keys of the tree; kinds, effort and
// the cost of the last level are those of `options`. Takes about a millisecond.
// Thread-safe.
double BitsForNewTable(const TreeTables& tree, const Level0Shape& level0,
                       const NewTable& table, double average,
                       const FilterOptions& options);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ALLOCATION_GROWING_TREE_H_
