#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "tools/doctor/diagnosis.h"

namespace oneline {
namespace {

// The header of a log's record has 32 bits of the log's number, by which
// RocksDB tells the records of a log from those of the older log whose file it
// writes over.
void CheckFileNumbers(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  const DatabaseSummary& database = snapshot.database;
  uint64_t highest = OptionsFileNumber(database.options_file);
  for (const ColumnFamilySummary& family : database.column_families) {
    for (const TableSummary& table : family.tables) {
      highest = std::max(highest, table.file.number);
    }
  }
  if (highest <= UINT32_MAX) return;
  const std::string numbers = absl::StrCat(
      "The database has file numbers beyond 4,294,967,295 (", highest, "). ");
  const std::string copy =
      "File numbers never become smaller; only a new database has small ones "
      "again: `ldb dump` and `ldb load` copy the keys of a column family.";
  if (database.db_options.recycle_log_file_num == 0) {
    diagnosis->notes.push_back(
        absl::StrCat(numbers,
                     "RocksDB loses writes of such a database if "
                     "recycle_log_file_num is not 0, as it is now. ",
                     copy));
    return;
  }
  diagnosis->Add(
      "file-numbers", "",
      absl::StrCat(numbers, "With recycle_log_file_num=",
                   database.db_options.recycle_log_file_num,
                   " RocksDB can then lose synced writes when it opens the "
                   "database after a crash, without an error."),
      absl::StrCat("Set recycle_log_file_num=0 under [DBOptions] at once, and "
                   "flush all column families before the program ends. ",
                   copy));
}

void CheckExpectedFamilies(const DatabaseSnapshot& snapshot,
                           Diagnosis* diagnosis) {
  const auto& families = snapshot.database.column_families;
  for (const auto& [name, policy] : snapshot.expectations.by_family()) {
    const bool is_there =
        std::any_of(families.begin(), families.end(),
                    [&name = name](const ColumnFamilySummary& family) {
                      return family.name == name;
                    });
    if (is_there) continue;
    diagnosis->Add("not-as-expected", "",
                   absl::StrCat("--expect names the column family '", name,
                                "', which the database does not have."),
                   "Correct the name in --expect, or find out who dropped the "
                   "column family.");
  }
}

void NoteThatNobodyAsks(const DatabaseSnapshot& snapshot,
                        Diagnosis* diagnosis) {
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    if (snapshot.expectations.For(family.name) != ExpectedPolicy::kUnknown ||
        snapshot.AsksForFilters(family.name)) {
      return;
    }
  }
  for (const Finding& finding : diagnosis->findings) {
    if (finding.kind == "policy-gone") return;
  }
  diagnosis->notes.push_back(
      "No column family asks for a filter. A program that was started without "
      "this library, or without its options, leaves a database like this. "
      "--expect=oneline makes this a fault, --expect=none says that it is "
      "right.");
}

}  // namespace

void CheckDatabase(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  if (!snapshot.database.has_logs) {
    diagnosis->notes.push_back(
        absl::StrCat("LOG is in another directory, db_log_dir=",
                     snapshot.database.db_options.db_log_dir,
                     ", and is not read: what only it tells is not known."));
  }
  CheckFileNumbers(snapshot, diagnosis);
  CheckExpectedFamilies(snapshot, diagnosis);
  NoteThatNobodyAsks(snapshot, diagnosis);
}

}  // namespace oneline
