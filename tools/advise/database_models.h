// The models of a database's column families.

#ifndef ONELINE_TOOLS_ADVISE_DATABASE_MODELS_H_
#define ONELINE_TOOLS_ADVISE_DATABASE_MODELS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/advise/column_family_model.h"
#include "tools/database/database_summary.h"

namespace oneline {

// Of the column families that --column_family asks for.
struct DatabaseModels {
  std::vector<ColumnFamilyModel> models;  // of those that have keys; not empty
  std::vector<absl::Status> unread;       // of the tables that are left out
};

// Errors: that of the OPTIONS file; NotFound if there is no such column family;
// if no table with keys could be read, why, or InvalidArgument if there is
// none.
absl::StatusOr<DatabaseModels> LoadModels(const DatabaseSummary& database);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ADVISE_DATABASE_MODELS_H_
