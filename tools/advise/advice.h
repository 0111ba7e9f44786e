// How many bits the filters of each level of a database should have, and what
// that changes.
//
// False positives are those to expect for a lookup of an absent key that lies
// within the range of every sorted run, so that it asks one filter of each: of
// every table in level 0, and of one table in every deeper level, which may be
// any, the more likely the more keys it has. Each false positive is a wasted
// read. What filters let pass today is known of the filters themselves; what
// they would let pass, of the models.

#ifndef ONELINE_TOOLS_ADVISE_ADVICE_H_
#define ONELINE_TOOLS_ADVISE_ADVICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "filter_policy/allocation/level_allocation.h"
#include "oneline/filter_options.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"

namespace oneline {

struct FiltersOfLevel {
  double bytes = 0;
  double false_positives = 0;  // of all runs of the level

  double bits_per_key(uint64_t keys) const {
    return 8 * bytes / static_cast<double>(keys);
  }
};

struct LevelAdvice {
  int level = 0;
  uint64_t tables = 0;
  int runs = 0;
  uint64_t keys = 0;     // what filters get of them
  bool filtered = true;  // false: optimize_filters_for_hits, the last level
  FiltersOfLevel now, then;
};

struct FamilyAdvice {
  std::string name;
  ConfiguredPolicy policy;          // now
  std::vector<LevelAdvice> levels;  // those with keys
  FilterOptions proposal;

  uint64_t keys() const;
  FiltersOfLevel now() const;
  FiltersOfLevel then() const;
};

// The tree of one column family: what can be asked of it without a proposal.
class FamilyTree {
 public:
  // Errors: what kept a table from being read.
  static absl::StatusOr<FamilyTree> Of(const ColumnFamilySummary& family,
                                       const ConfiguredPolicy& policy);

  uint64_t keys() const { return now_.keys(); }
  // As it is; no proposal.
  const FamilyAdvice& now() const { return now_; }

  // With filters that take `bytes`, or less where nothing is gained by more.
  FamilyAdvice WithMemory(double bytes) const;
  // With as few bytes as let at most that many false positives be expected, or
  // as near to it as can be.
  FamilyAdvice WithFalsePositives(double false_positives) const;
  // With the same bits per key on all levels, for comparison.
  FamilyAdvice WithUniformMemory(double bytes) const;

 private:
  FamilyAdvice WithBits(const std::vector<double>& bits_of_filtered) const;
  std::vector<double> UniformBits(double bits_per_key) const;
  double BitsFor(double bytes) const;
  // Of lookups on levels that have no filters by the options.
  double UnfilteredReads() const;

  FamilyAdvice now_;
  std::vector<TreeLevel> tree_;   // of the levels that are filtered
  bool by_level_ = true;          // levels may have bits of their own
  double overhead_bytes_ = 0;     // of all filters: trailers and rounding
  std::vector<double> overhead_;  // by level
  FilterOptions base_;            // what is not proposed
};

// Of all column families: keys are added, memory is added, false positives are
// averaged by keys, as if lookups were spread as keys are.
struct Totals {
  uint64_t keys = 0;
  FiltersOfLevel now, then;
};
Totals TotalsOf(const std::vector<FamilyAdvice>& families);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_ADVICE_H_
