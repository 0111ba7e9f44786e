// The database as it was, in another directory of the same file system: a
// database of its own, whose tables are hard links and take no space until the
// new ones replace them.

#ifndef ONELINE_TOOLS_REFILTER_KEPT_STATE_H_
#define ONELINE_TOOLS_REFILTER_KEPT_STATE_H_

#include <string>

#include "absl/status/status.h"
#include "tools/refilter/plan.h"
#include "tools/rewrite/disk.h"

namespace oneline {

// Creates `directory`, links the tables and blob files of the database into it,
// and copies its other files, logs included. Writes all to the disk; after an
// error, what was made is deleted. FailedPrecondition if `directory` exists, or
// if the database has files in other directories. REQUIRES: the caller has the
// database's lock.
absl::Status KeepState(const Disk& disk, const std::string& database,
                       const RefilterPlan& plan, const std::string& directory);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_KEPT_STATE_H_
