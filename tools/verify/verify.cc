// The command `oneline verify`.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/command/parallel.h"
#include "tools/database/database_tables.h"
#include "tools/text/file_progress.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

std::vector<TableFile> AllTables(const DatabaseTables& database) {
  std::vector<TableFile> all;
  for (const ColumnFamilyTables& family : database.column_families) {
    all.insert(all.end(), family.tables.begin(), family.tables.end());
  }
  return all;
}

// What was found, over all tables.
class Report {
 public:
  void Add(const TableFile& file, const VerifiedTable& table);

  // Of the tables that were missing, those that a second look finds on record
  // are lost. The others were compacted away.
  void AddMissing(const DatabaseTables& on_record);

  int Print() const;

  const std::vector<TableFile>& missing() const { return missing_; }

 private:
  void PrintDamage(const std::string& path, const std::string& what);

  // Of the tables that are intact.
  uint64_t intact_ = 0, blocks_ = 0, partitions_ = 0, keys_ = 0, prefixes_ = 0;
  uint64_t damaged_ = 0, unfiltered_ = 0, not_checked_ = 0, vanished_ = 0;
  uint64_t unchecked_prefixes_ = 0;
  std::vector<TableFile> missing_;
};

void Report::PrintDamage(const std::string& path, const std::string& what) {
  ++damaged_;
  absl::PrintF("%s: damaged: %s\n", path, what);
  std::fflush(stdout);
}

void Report::Add(const TableFile& file, const VerifiedTable& table) {
  switch (table.verdict) {
    case TableVerdict::kIntact:
      ++intact_;
      blocks_ += table.blocks;
      partitions_ += table.partitions;
      keys_ += table.keys;
      prefixes_ += table.prefixes;
      break;
    case TableVerdict::kUnfiltered:
      ++unfiltered_;
      break;
    case TableVerdict::kNotChecked:
      ++not_checked_;
      absl::PrintF("%s: not checked: %s\n", file.path, table.message);
      break;
    case TableVerdict::kMissing:
      missing_.push_back(file);
      break;
    case TableVerdict::kDamaged:
      PrintDamage(file.path, table.message);
      break;
  }
  if (!table.unknown_extractor.empty()) {
    ++unchecked_prefixes_;
    absl::PrintF(
        "%s: prefixes not checked, keys were: this program does not have the"
        " extractor '%s'\n",
        file.path, table.unknown_extractor);
  }
}

void Report::AddMissing(const DatabaseTables& on_record) {
  for (const TableFile& file : missing_) {
    if (on_record.Lists(file.path)) {
      PrintDamage(file.path, "the file is missing");
    } else {
      ++vanished_;
    }
  }
}

int Report::Print() const {
  const auto others = [](uint64_t n, const char* what) {
    if (n > 0) absl::PrintF("%s %s\n", Tables(n), what);
  };
  others(unfiltered_, "without a filter");
  others(not_checked_, "not checked");
  others(unchecked_prefixes_, "whose prefixes were not checked");
  others(vanished_, "compacted away meanwhile");
  absl::PrintF("%s intact: %s filter blocks, %s of them partitions; %s keys",
               Tables(intact_), WithCommas(blocks_), WithCommas(partitions_),
               WithCommas(keys_));
  if (prefixes_ > 0) absl::PrintF(", %s prefixes", WithCommas(prefixes_));
  absl::PrintF("\n");
  if (damaged_ == 0) return kExitFine;
  absl::PrintF("%s DAMAGED\n", Tables(damaged_));
  return kExitFound;
}

std::vector<VerifiedTable> VerifyAll(const std::vector<TableFile>& files) {
  uint64_t bytes = 0;
  for (const TableFile& file : files) bytes += file.bytes;
  Progress progress(stderr);
  progress.Begin(absl::StrCat("verifying ", Tables(files.size())), bytes);
  std::vector<VerifiedTable> results(files.size());
  ParallelFor(files.size(), absl::GetFlag(FLAGS_jobs), [&](size_t i) {
    FileProgress file(&progress, files[i].bytes);
    results[i] = VerifyTable(files[i].path, [&](uint64_t read, uint64_t all) {
      file.Advance(read, all);
    });
  });
  progress.End();
  return results;
}

absl::StatusOr<int> Verify(const std::vector<std::string>& arguments) {
  const std::string& path = arguments[0];
  const absl::StatusOr<DatabaseTables> database = TablesAt(path);
  if (!database.ok()) return database.status();
  const std::vector<TableFile> files = AllTables(*database);
  const std::vector<VerifiedTable> results = VerifyAll(files);
  if (!database->is_database &&
      results[0].verdict == TableVerdict::kNotChecked) {
    return absl::UnimplementedError(
        absl::StrCat(path, ": ", results[0].message));
  }
  Report report;
  for (size_t i = 0; i < files.size(); ++i) report.Add(files[i], results[i]);
  if (!report.missing().empty()) {
    const absl::StatusOr<DatabaseTables> again = TablesAt(path);
    if (!again.ok()) return again.status();
    report.AddMissing(*again);
  }
  return report.Print();
}

}  // namespace

extern const Command kVerifyCommand = {
    "verify",
    "PATH [--jobs=N]",
    "read every filter and look every key up in its own",
    R"(Reads every filter block and partition of a database, or of one SST file,
with checksums, and looks every key of every table up in the table's filter,
deleted keys and prefixes included. A key that does not pass its own filter is
data that lookups don't find. Other damage of tables with a filter is found on
the way; tables without one are counted and not read.

Each damaged file is named, with the first kind of damage in it; the others are
checked nevertheless. Nothing is changed, and another process may have the
database open: tables that it compacts away meanwhile are no damage.

Exit codes: 0 no damage was found, 1 a table or a filter is damaged, 2 PATH could
not be looked at.

Example:

    oneline verify db --jobs=4
)",
    {"jobs"},
    1,
    1,
    &Verify};

}  // namespace oneline
