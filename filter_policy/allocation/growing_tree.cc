#include "filter_policy/allocation/growing_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "filter_policy/allocation/level_allocation.h"
#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

LevelTables Sum(const TreeTables& tree) {
  LevelTables sum;
  for (const auto& [level, tables] : tree) {
    sum.tables += tables.tables;
    sum.keys += tables.keys;
    sum.filter_bits += tables.filter_bits;
  }
  return sum;
}

// Sorted loads move tables from level 0 to the bottom without writing them
// again, and the tables' filters still say level 0. Those beyond the most runs
// that level 0 can have must have moved.
void MoveToTheBottom(int max_level0_runs, TreeTables* tree) {
  LevelTables& level0 = (*tree)[0];
  if (level0.tables <= max_level0_runs) return;
  const int moved = level0.tables - max_level0_runs;
  const double keys = level0.keys / level0.tables;
  const int bottom = std::max(1, tree->rbegin()->first);
  (*tree)[bottom].tables += moved;
  (*tree)[bottom].keys += moved * keys;
  level0 = {max_level0_runs, max_level0_runs * keys, 0};
}

// The keys of a run of level 0.
double Level0Keys(const TreeTables& tree, const Level0Shape& shape) {
  for (const auto& [level, tables] : tree) {
    if (tables.keys == 0) continue;
    if (level == 0) return tables.keys / tables.tables;
    if (shape.run_keys > 0) return shape.run_keys;
    return tables.keys * std::min(shape.run_size, 1.0);
  }
  return 1;  // any number: there is nothing to compare it with
}

// The keys of each run of level 0 for which the levels below leave memory.
// Level 0 will have as many runs as start a compaction, and they will need
// some. In a tree of few write buffers that would be so much that the levels
// below were better off without any level 0, so they leave it no more than
// this.
double ReservedKeys(const TreeTables& tree, int level0_runs,
                    double level0_keys) {
  constexpr double kMostOfTheTree = 0.03;
  const double below = Sum(TreeTables(tree.upper_bound(0), tree.end())).keys;
  return std::min(level0_keys, kMostOfTheTree * below / level0_runs);
}

// What the table leaves memory for: the runs that level 0 will have, or after a
// merge of everything above a run of a fifth of the merged keys, since the
// merged run stays as it is until those above it have become as large. In model
// histories of universal compaction, which tests/filter_policy/allocation has,
// a fifth comes within 3 % of the optimum on average, and takes at most 4 % too
// much memory. A tenth takes 5 % too much, and a third or a half are no better.
TreeLevel RunsToCome(const NewTable& table, const TreeTables& tree,
                     const Level0Shape& shape, double level0_keys) {
  constexpr double kOfTheMerged = 0.2;
  if (table.merges_all_above) {
    return {kOfTheMerged * tree.at(table.level).keys, 1};
  }
  const int runs = std::max(shape.compaction_runs, tree.at(0).tables);
  return {
      table.level == 0 ? level0_keys : ReservedKeys(tree, runs, level0_keys),
      runs};
}

// The tree when the table is in it.
TreeTables With(const NewTable& table, TreeTables tree, double level0_keys) {
  double keys = tree[table.level].keys;
  if (table.merges_all_above) {
    const auto end = tree.upper_bound(table.level);
    keys = Sum(TreeTables(tree.begin(), end)).keys;
    tree.erase(tree.begin(), end);
  } else if (table.level > 0) {
    // A compaction into a level with few keys brings more from the one above.
    const auto above = std::prev(tree.find(table.level));
    keys = std::max(keys, above->second.keys);
  }
  if (table.level > 0) tree[table.level].keys = std::max(keys, level0_keys);
  return tree;
}

// The runs to come and those of the tree when the table is in it, and which of
// them is the table's.
struct Runs {
  std::vector<TreeLevel> runs;
  size_t of_table = 0;
};

Runs RunsWith(const NewTable& table, const TreeTables& before,
              const Level0Shape& shape, const FilterOptions& options) {
  const double level0_keys = Level0Keys(before, shape);
  const TreeTables tree = With(table, before, level0_keys);
  Runs result;
  result.runs.push_back(RunsToCome(table, tree, shape, level0_keys));
  result.runs[0].kind = KindAtLevel(options, kFlushLevel);
  for (const auto& [level, tables] : tree) {
    if (level == 0 || tables.keys == 0) continue;
    if (level == table.level) result.of_table = result.runs.size();
    result.runs.push_back({tables.keys, 1, KindAtLevel(options, level)});
  }
  SetLastLevelCost(options.last_level_cost, &result.runs);
  return result;
}

// The average to allocate, for the memory of all tables to become what was
// asked for. With this gain it does so within a few compactions, without
// swinging; a larger change than a fifth would spoil the proportions. More than
// twice kDrift does not come from growth: other bits were asked for before.
// Then all tables will be written again with these, and there is nothing to
// make up. Nor is there in a tree of few tables, most of which the compaction
// replaces.
double MakingUp(double average, const LevelTables& all) {
  if (all.keys == 0) return average;
  constexpr double kGain = 3, kDrift = 0.1, kFew = 10, kMany = 40;
  const double excess = all.filter_bits / (all.keys * average) - 1;
  const double gain =
      kGain * std::clamp(2 - std::abs(excess) / kDrift, 0.0, 1.0) *
      std::clamp((all.tables - kFew) / (kMany - kFew), 0.0, 1.0);
  return average * std::clamp(1 - gain * excess, 0.8, 1.2);
}

// The most for a table of level 0: flushes can be faster than the compactions
// that would make up for them. It gets half of what is left of a few percent
// above the memory that was asked for, or of what level 0 may have in any case.
// So the next ones get something, too.
double MostForLevel0(double average, const TreeTables& tables,
                     double level0_keys) {
  constexpr double kTolerance = 0.03, kOfLevel0 = 0.01, kShare = 0.5;
  const auto above_average = [average](const LevelTables& of) {
    return of.filter_bits - average * of.keys;
  };
  const LevelTables all = Sum(tables);
  const LevelTables level0 =
      Sum(TreeTables(tables.begin(), tables.upper_bound(0)));
  const double asked = average * all.keys;
  const double left = std::max(kTolerance * asked - above_average(all),
                               kOfLevel0 * asked - above_average(level0));
  return average + kShare * std::max(left, 0.0) / level0_keys;
}

}  // namespace

double BitsForNewTable(const TreeTables& tables, const Level0Shape& level0,
                       const NewTable& table, double average,
                       const FilterOptions& options) {
  assert(table.level >= 0);
  assert(table.level > 0 || !table.merges_all_above);
  assert(average > 0);
  TreeTables tree = tables;
  MoveToTheBottom(level0.max_runs, &tree);
  const Runs runs = RunsWith(table, tree, level0, options);
  // A merged run cannot make up for a larger one that stays as it is.
  const double now =
      table.merges_all_above ? average : MakingUp(average, Sum(tables));
  // The tables of a level without filters could not be seen.
  const std::vector<double> bits =
      AllocateBits(runs.runs, now, options.effort, Filters::kForAllLevels);
  if (table.level > 0) return bits[runs.of_table];
  // In a sorted load the new table will move to the bottom like the others.
  if (tree[0].tables == level0.max_runs) return bits.back();
  return std::min(bits[0], MostForLevel0(average, tables, runs.runs[0].keys));
}

}  // namespace oneline
