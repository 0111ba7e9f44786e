// Carries a plan out, in batches: writes the new tables of a batch, checks
// them, switches to a MANIFEST that has them, and deletes the old ones.

#ifndef ONELINE_TOOLS_REFILTER_RUN_H_
#define ONELINE_TOOLS_REFILTER_RUN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/command/parallel.h"
#include "tools/refilter/plan.h"
#include "tools/rewrite/disk.h"
#include "tools/text/progress.h"

namespace oneline {

struct RunOptions {
  uint64_t batch_bytes = 0;  // 0: a hundredth of all, but at least 4 GiB
  JobCount jobs;
  // OK to go on; an error to stop. Called often, from several threads.
  std::function<absl::Status()> may_go_on;
};

struct FinishedBatch {
  uint64_t tables = 0;
  uint64_t bytes = 0;  // of the new tables
  double seconds = 0;
};

// What was done, also after an error.
struct RunResult {
  uint64_t tables = 0;         // with a new filter
  uint64_t bytes_written = 0;  // of these tables
  std::vector<FinishedBatch> batches;
  // Old files that could not be deleted; RocksDB does so when it opens the
  // database.
  std::vector<std::string> left;
};

// After an error the database has the old filter in each table that was not
// counted, or, if the error says so, perhaps the new one in the last batch. New
// files that are not used are deleted. REQUIRES: the plan has no refusals; the
// caller has had the database's lock since before MakePlan.
absl::Status RunPlan(const Disk& disk, const std::string& database,
                     RefilterPlan plan, const RunOptions& options,
                     Progress* progress, RunResult* result);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_RUN_H_
