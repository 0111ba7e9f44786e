// What `oneline refilter` is to do with a database: the options with which to
// open it. Reads, and changes nothing.

#ifndef ONELINE_TOOLS_REFILTER_PLAN_H_
#define ONELINE_TOOLS_REFILTER_PLAN_H_

#include <rocksdb/db.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// What the user asks for.
struct RefilterTask {
  std::string database;
  // All directories of tables, in the order of DBOptions::db_paths; empty: the
  // database's own.
  std::vector<std::string> db_paths;
  std::string policy;  // as in an OPTIONS file; empty: what the database's says
  std::string column_families;  // separated by commas; empty: all
};

struct PlannedFamily {
  rocksdb::ColumnFamilyDescriptor descriptor;
  bool is_chosen = false;
  std::string policy;             // for people, and for OPTIONS files
  std::string policy_in_options;  // what the program's compactions write
};

struct RefilterPlan {
  std::string database;
  std::string options_file;  // its path
  std::string options_text;  // what it has
  rocksdb::DBOptions db_options;
  std::vector<PlannedFamily> families;  // all, in the order of the MANIFEST
};

// Errors: those of TablesAt and of guards.h; InvalidArgument or NotFound for a
// task that makes no sense.
absl::StatusOr<RefilterPlan> MakePlan(const RefilterTask& task);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_PLAN_H_
