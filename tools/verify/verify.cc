// The command `oneline verify`: looks every key up in its table's own filter.

#include <cstdint>
#include <cstdio>
#include <map>
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
#include "tools/text/printable.h"
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

// The results of all tables. Prints each problem when it is added.
class Report {
 public:
  void Add(const TableFile& file, const VerifiedTable& table);

  // Settles the missing tables by a second listing of the database: those that
  // it still lists are lost, the others were compacted away.
  void AddMissing(const DatabaseTables& listed_now);

  // Prints the totals; returns the exit code. Unavailable if no table is
  // damaged and one could not be read.
  absl::StatusOr<int> Print() const;

  const std::vector<TableFile>& missing() const { return missing_; }

 private:
  void PrintDamage(const std::string& path, const std::string& what);

  // The intact tables and what they contain.
  uint64_t intact_ = 0, blocks_ = 0, partitions_ = 0, keys_ = 0, prefixes_ = 0;
  uint64_t damaged_ = 0, unfiltered_ = 0, not_checked_ = 0;
  uint64_t compacted_away_ = 0;
  uint64_t unchecked_prefixes_ = 0;
  uint64_t unreadable_ = 0;
  std::string first_unreadable_;  // its path, and why
  std::vector<TableFile> missing_;
};

void Report::PrintDamage(const std::string& path, const std::string& what) {
  ++damaged_;
  absl::PrintF("%s: damaged: %s\n", Printable(path), Printable(what));
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
      absl::PrintF("%s: not checked: %s\n", file.path,
                   Printable(table.message));
      break;
    case TableVerdict::kMissing:
      missing_.push_back(file);
      break;
    case TableVerdict::kDamaged:
      PrintDamage(file.path, table.message);
      break;
    case TableVerdict::kUnreadable:
      if (unreadable_++ == 0) {
        first_unreadable_ = absl::StrCat(file.path, ": ", table.message);
      }
      absl::PrintF("%s: can't be read: %s\n", file.path,
                   Printable(table.message));
      break;
  }
  if (!table.unknown_extractor.empty()) {
    ++unchecked_prefixes_;
    absl::PrintF(
        "%s: only whole keys were checked: this program does not have the"
        " prefix extractor '%s'\n",
        file.path, Printable(table.unknown_extractor));
  }
}

void Report::AddMissing(const DatabaseTables& listed_now) {
  for (const TableFile& file : missing_) {
    if (listed_now.Lists(file.path)) {
      PrintDamage(file.path, "the file is missing");
    } else {
      ++compacted_away_;
    }
  }
}

absl::StatusOr<int> Report::Print() const {
  const auto print_if_any = [](uint64_t n, const char* what) {
    if (n > 0) absl::PrintF("%s %s\n", Tables(n), what);
  };
  print_if_any(unfiltered_, "without a filter");
  print_if_any(not_checked_, "not checked");
  print_if_any(unchecked_prefixes_, "whose prefixes were not checked");
  print_if_any(compacted_away_, "compacted away meanwhile");
  print_if_any(unreadable_, "that could not be read");
  absl::PrintF("%s intact: %s filter blocks, %s of them partitions; %s keys",
               Tables(intact_), WithCommas(blocks_), WithCommas(partitions_),
               WithCommas(keys_));
  if (prefixes_ > 0) absl::PrintF(", %s prefixes", WithCommas(prefixes_));
  absl::PrintF("\n");
  if (damaged_ > 0) {
    absl::PrintF("%s DAMAGED\n", Tables(damaged_));
    return kExitFound;
  }
  if (unreadable_ == 0) return kExitFine;
  return absl::UnavailableError(
      absl::StrCat(Tables(unreadable_),
                   " could not be read; the first: ", first_unreadable_));
}

// Finds tables that have each other's names. A table from another database may
// have had any number there. One that was exported from this database and
// imported again has a new number, which no table was written with. So a number
// in the properties that is now that of another table, which was not written
// with it either, tells that files were renamed.
void FindRenamed(const DatabaseTables& database,
                 const std::vector<TableFile>& files,
                 std::vector<VerifiedTable>* results) {
  std::map<uint64_t, size_t> index_of;
  const auto is_renamed = [&](size_t i) {
    const VerifiedTable& table = (*results)[i];
    return table.original_number != 0 && !database.id.empty() &&
           table.database_id == database.id &&
           table.original_number != files[i].number;
  };
  for (size_t i = 0; i < files.size(); ++i) index_of[files[i].number] = i;
  for (size_t i = 0; i < files.size(); ++i) {
    VerifiedTable& table = (*results)[i];
    if (!is_renamed(i)) continue;
    const auto other = index_of.find(table.original_number);
    if (other == index_of.end() || !is_renamed(other->second)) continue;
    table.verdict = TableVerdict::kDamaged;
    table.message =
        absl::StrFormat("is %06d.sst, by its properties", other->first);
  }
}

std::vector<VerifiedTable> VerifyAll(const std::vector<TableFile>& files) {
  uint64_t bytes = 0;
  for (const TableFile& file : files) bytes += file.bytes;
  Progress progress(stderr);
  progress.Begin(absl::StrCat("verifying ", Tables(files.size())), bytes);
  std::vector<VerifiedTable> results(files.size());
  ParallelFor(files.size(), absl::GetFlag(FLAGS_jobs), [&](size_t i) {
    FileProgress file(&progress, files[i].bytes);
    results[i] = VerifyTable(files[i], [&](uint64_t read, uint64_t all) {
      file.Advance(read, all);
    });
  });
  progress.End();
  return results;
}

absl::StatusOr<int> Verify(const std::vector<std::string>& arguments) {
  const std::string& path = arguments[0];
  const std::vector<std::string> db_paths = absl::GetFlag(FLAGS_db_paths);
  const absl::StatusOr<DatabaseTables> database = TablesAt(path, db_paths);
  if (!database.ok()) return database.status();
  const std::vector<TableFile> files = AllTables(*database);
  std::vector<VerifiedTable> results = VerifyAll(files);
  if (!database->is_database &&
      results[0].verdict == TableVerdict::kNotChecked) {
    return absl::UnimplementedError(
        absl::StrCat(path, ": ", results[0].message));
  }
  FindRenamed(*database, files, &results);
  Report report;
  for (size_t i = 0; i < files.size(); ++i) report.Add(files[i], results[i]);
  if (!report.missing().empty()) {
    const absl::StatusOr<DatabaseTables> again = TablesAt(path, db_paths);
    if (!again.ok()) return again.status();
    report.AddMissing(*again);
  }
  return report.Print();
}

}  // namespace

extern const Command kVerifyCommand = {
    "verify",
    "PATH [--db_paths=DIRECTORIES] [--jobs=N]",
    "reads every filter and looks every key up in its own",
    R"(Reads every filter block and partition of a database, or of one SST file,
verifies the checksums, and looks up every key of a table, deleted keys and
prefixes included, in the table's own filter. A key that does not pass is lost
to lookups. Damaged data blocks of tables with a filter are found on the way;
tables without a filter are counted but not read. Each table is also compared
with what the MANIFEST says of it.

For each damaged file the first problem is printed; the other files are still
checked. Nothing is changed. Another process may have the database open: tables
that it compacts away meanwhile are not reported as damage.

Exit codes: 0 no damage was found, 1 a table or a filter is damaged or missing,
2 PATH, or a table, could not be read.

Example:

    oneline verify db --jobs=4
)",
    {"db_paths", "jobs"},
    1,
    1,
    &Verify};

}  // namespace oneline
