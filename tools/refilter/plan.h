// What `oneline refilter` is to do with a database: which tables get another
// filter, and what forbids it. Reads, and changes nothing.

#ifndef ONELINE_TOOLS_REFILTER_PLAN_H_
#define ONELINE_TOOLS_REFILTER_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/command/parallel.h"
#include "tools/refilter/current_manifest.h"
#include "tools/rewrite/disk.h"
#include "tools/rewrite/filter_builder.h"

namespace oneline {

// What the user asks for.
struct RefilterTask {
  std::string database;
  std::vector<std::string> db_paths;  // other directories with tables
  // As in an OPTIONS file; without it what the database's own says.
  std::optional<std::string> policy;
  std::optional<double> memory;  // bytes, of all filters together
  std::string column_families;   // separated by commas; empty: all
  JobCount jobs;
};

// The filters of one level, before and after.
struct RefilteredLevel {
  int level = 0;
  uint64_t tables = 0, rewritten = 0, keys = 0;
  double bytes_before = 0, bytes_after = 0;
  // Expected of one lookup of an absent key, over all runs.
  double false_positives_before = 0, false_positives_after = 0;
};

struct FamilyPlan {
  uint32_t id = 0;
  std::string name;
  std::string policy;             // for people, and for OPTIONS files
  std::string policy_in_options;  // what later compactions will write
  std::shared_ptr<const FilterRequest> request;
  std::vector<RefilteredLevel> levels;
};

struct PlannedTable {
  size_t family = 0;  // in RefilterPlan::families
  std::string path;
  TableEntry entry;
  bool is_last = false;
  std::string request;  // for kRequestProperty
};

struct RefilterPlan {
  CurrentManifest current;
  std::string options_file;
  std::vector<FamilyPlan> families;
  // In the order of their numbers in each family and level.
  std::vector<PlannedTable> tables;
  uint64_t tables_kept = 0;  // they have what is asked for
  uint64_t bytes = 0;        // of `tables`
  // Why nothing of it may be done; empty if it may.
  std::vector<std::string> refusals;
};

// Errors: those of SummarizeDatabase and ReadCurrent; InvalidArgument or
// NotFound for a task that makes no sense. REQUIRES: the database does not
// change meanwhile, if the plan is to be carried out.
absl::StatusOr<RefilterPlan> MakePlan(const Disk& disk,
                                      const RefilterTask& task);

// The tables of each step: at most `batch_bytes` of them, or a single table, or
// tables of level 0 that RocksDB orders by their numbers, which must not be
// parted. Indexes in plan.tables.
std::vector<std::vector<size_t>> BatchesOf(const RefilterPlan& plan,
                                           uint64_t batch_bytes);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_PLAN_H_
