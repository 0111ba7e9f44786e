// Models the sorted runs of a column family: how many bits per key the filters
// of each level should have, and how many reads that saves.
//
// False positives are those expected of one lookup of an absent key that lies
// within the range of every sorted run. It asks one filter of each run: of
// every table in level 0, and of one table in each deeper level, a table with
// more keys being more likely in proportion. Each false positive is a wasted
// read. The rates of current filters follow from their bits, those of proposed
// filters from the models of their kinds.

#ifndef ONELINE_TOOLS_ADVISE_COLUMN_FAMILY_MODEL_H_
#define ONELINE_TOOLS_ADVISE_COLUMN_FAMILY_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oneline/filter_options.h"
#include "tools/allocation/level_allocation.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"

namespace oneline {

// What filters take, and what they let pass: of one level, or summed.
struct FilterCost {
  double bytes = 0;
  double false_positives = 0;  // that cost a read, expected per lookup
};

struct LevelAdvice {
  int level = 0;
  uint64_t tables = 0;
  int runs = 0;
  uint64_t keys = 0;  // that filters get, or would get
  // False for the last level with optimize_filters_for_hits.
  bool filtered = true;
  // As in TreeLevel: less than 1 for the last level, with hits.
  double absent = 1;
  FilterCost current, proposed;
};

struct ColumnFamilyAdvice {
  std::string name;
  ConfiguredPolicy policy;          // the current one
  std::vector<LevelAdvice> levels;  // those with keys, from level 0 on
  FilterOptions proposal;

  uint64_t keys() const;
  FilterCost current() const;
  FilterCost proposed() const;
};

class ColumnFamilyModel {
 public:
  // Leaves out tables that could not be read. `hits`: of the lookups that come
  // to the last level, the share that finds its key there, 0 to 1.
  static ColumnFamilyModel Create(const ColumnFamilySummary& family,
                                  const ConfiguredPolicy& policy, double hits);

  uint64_t keys() const { return today_.keys(); }
  // The filters of today, without a proposal.
  const ColumnFamilyAdvice& today() const { return today_; }

  // Filters that take at most `bytes`, and less if more would gain nothing.
  ColumnFamilyAdvice WithMemory(double bytes) const;
  // The smallest filters with at most so many false positives; the largest
  // filters if none have so few.
  ColumnFamilyAdvice WithFalsePositives(double false_positives) const;
  // The same bits per key on all levels, for comparison.
  ColumnFamilyAdvice WithUniformMemory(double bytes) const;

 private:
  // `bits_per_key` has one element for each element of filtered_.
  ColumnFamilyAdvice WithBits(const std::vector<double>& bits_per_key) const;
  std::vector<double> UniformBits(double bits_per_key) const;
  // Average bits per key of filters that take `bytes`.
  double BitsFor(double bytes) const;

  ColumnFamilyAdvice today_;
  std::vector<TreeLevel> filtered_;     // the levels that have filters
  double unfiltered_wasted_ = 0;        // reads in those that have none
  bool is_leveled_ = true;              // else all levels get the same bits
  std::vector<double> overhead_bytes_;  // by level: trailers and rounding
  double filtered_overhead_bytes_ = 0;  // their sum over `filtered_`
  FilterOptions base_options_;          // all that is not proposed
};

// Sums over column families. Keys and memory are added; false positives are
// averaged by keys, as if lookups were spread over column families like keys.
struct Totals {
  uint64_t keys = 0;
  FilterCost current, proposed;
};
Totals TotalsOf(const std::vector<ColumnFamilyAdvice>& families);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_COLUMN_FAMILY_MODEL_H_
