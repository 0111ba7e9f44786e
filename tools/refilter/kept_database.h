// The database as it was before `oneline refilter`, kept in a directory beside
// it.

#ifndef ONELINE_TOOLS_REFILTER_KEPT_DATABASE_H_
#define ONELINE_TOOLS_REFILTER_KEPT_DATABASE_H_

#include <rocksdb/db.h>

#include <string>

#include "absl/status/status.h"
#include "tools/refilter/plan.h"

namespace oneline {

// Whether the database can be kept there: nothing may be there yet, nor under
// the name that it has until it is whole, and both must be in the same file
// system, for hard links.
absl::Status CheckKeep(const RefilterPlan& plan, const std::string& directory);

// Makes the directory, with hard links of all tables. After an error there is
// nothing of it. It is not open to anybody to whom the database is not.
absl::Status KeepDatabase(rocksdb::DB* db, const RefilterPlan& plan,
                          const std::string& directory);

// Commands for a shell that put it in the database's place, which moves to a
// name that does not exist yet.
std::string WayBack(const RefilterPlan& plan, const std::string& directory);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_KEPT_DATABASE_H_
