#include "tools/advise/database_models.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "tools/command/flags.h"
#include "tools/database/configured_policy.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

void AddUnread(const ColumnFamilySummary& family, DatabaseModels* loaded) {
  for (const TableSummary& table : family.tables) {
    if (!table.status.ok()) loaded->unread.push_back(table.status);
  }
}

}  // namespace

absl::StatusOr<DatabaseModels> LoadModels(const DatabaseSummary& database) {
  if (!database.options_status.ok()) return database.options_status;
  std::optional<OptionsFile> options;
  if (!database.options_file.empty()) {
    absl::StatusOr<OptionsFile> file = OptionsFile::Load(database.options_file);
    if (!file.ok()) return file.status();
    options = *std::move(file);
  }
  const std::string wanted = absl::GetFlag(FLAGS_column_family);
  DatabaseModels loaded;
  bool found = false;
  for (const ColumnFamilySummary& family : database.column_families) {
    if (!wanted.empty() && family.name != wanted) continue;
    found = true;
    ConfiguredPolicy policy;
    if (options.has_value()) {
      policy = PolicyInOptions(options->FilterPolicy(family.name));
    } else {
      // Filters are then taken to be wanted.
      policy.problem = absl::NotFoundError("there is no OPTIONS file");
    }
    AddUnread(family, &loaded);
    ColumnFamilyModel model = ColumnFamilyModel::Create(family, policy);
    if (model.keys() > 0) loaded.models.push_back(std::move(model));
  }
  if (!found) {
    return absl::NotFoundError(
        absl::StrCat(database.path, ": has no column family '", wanted, "'"));
  }
  if (!loaded.models.empty()) return loaded;
  if (!loaded.unread.empty()) return loaded.unread.front();
  return absl::InvalidArgumentError(
      absl::StrCat(database.path, ": has no tables with keys"));
}

}  // namespace oneline
