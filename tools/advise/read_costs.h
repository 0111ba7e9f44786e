// What a wasted read of each level costs, estimated from the LOG, and what the
// option last_level_cost would gain.
//
// A lookup reads a block of a level if it finds its key there or if a filter
// passes an absent key. RocksDB counts both over all levels, and hits for level
// 0, level 1 and the others; they are divided among levels by the rates of
// their filters and by their keys. It also counts the reads from the files of
// each level, and the time they take; other blocks were in the block cache. A
// wasted read then costs the time of a read from a file, times the share of
// blocks that come from files, and for each block the time to search it.

#ifndef ONELINE_TOOLS_ADVISE_READ_COSTS_H_
#define ONELINE_TOOLS_ADVISE_READ_COSTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "tools/advise/column_family_model.h"
#include "tools/database/log_file.h"

namespace oneline {

struct LevelReadCost {
  int level = 0;
  double asked = 0;       // share of lookups that come here and find nothing
  double blocks = 0;      // that lookups read, from the block cache or files
  double file_reads = 0;  // by anybody
  double micros_per_file_read = 0;
  double micros = 0;  // of a wasted read
};

struct ReadCosts {
  std::vector<LevelReadCost> levels;
  // Whether nearly all reads from files were those of lookups. If not, costs
  // are nearer to each other than they are for lookups.
  bool only_lookups = true;
  double last_level_cost = 1;  // two digits
  // The share of the time of wasted reads that it would save in the memory of
  // `model`'s filters, beside last_level_cost=1.
  double saved = 0;
};

// Error: a sentence that says why the statistics do not tell, and how to get
// some that do.
absl::StatusOr<ReadCosts> EstimateReadCosts(const ColumnFamilyModel& model,
                                            const FilterStatistics& statistics);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_READ_COSTS_H_
