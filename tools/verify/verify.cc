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
#include "tools/database/table_scan.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

using VerifiedFile = ScannedFile<VerifiedTable>;

// The results of all tables. Prints each problem when it is added.
class Report {
 public:
  void Add(const VerifiedFile& verified);
  // A table that the database has replaced meanwhile: only its damage counts.
  void AddReplaced(const VerifiedFile& verified);

  // Prints the totals; returns the exit code. Unavailable if no table is
  // damaged and one could not be read.
  absl::StatusOr<int> Print() const;

 private:
  void PrintDamage(const std::string& path, const std::string& what);

  // The intact tables and what they contain.
  uint64_t intact_ = 0, blocks_ = 0, partitions_ = 0, keys_ = 0, prefixes_ = 0;
  uint64_t damaged_ = 0, unfiltered_ = 0, not_checked_ = 0;
  uint64_t compacted_away_ = 0;
  uint64_t unchecked_prefixes_ = 0;
  uint64_t unreadable_ = 0;
  std::string first_unreadable_;  // its path, and why
};

void Report::PrintDamage(const std::string& path, const std::string& what) {
  ++damaged_;
  absl::PrintF("%s: damaged: %s\n", Printable(path), Printable(what));
  std::fflush(stdout);
}

void Report::Add(const VerifiedFile& verified) {
  const TableFile& file = verified.file;
  const VerifiedTable& table = verified.table;
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
      absl::PrintF("%s: not checked: %s\n", Printable(file.path),
                   Printable(table.message));
      break;
    case TableVerdict::kMissing:
      PrintDamage(file.path, "the file is missing");
      break;
    case TableVerdict::kDamaged:
      PrintDamage(file.path, table.message);
      break;
    case TableVerdict::kUnreadable:
      if (unreadable_++ == 0) {
        first_unreadable_ = absl::StrCat(file.path, ": ", table.message);
      }
      absl::PrintF("%s: can't be read: %s\n", Printable(file.path),
                   Printable(table.message));
      break;
  }
  if (!table.unknown_extractor.empty()) {
    ++unchecked_prefixes_;
    absl::PrintF(
        "%s: only whole keys were checked: this program does not have the"
        " prefix extractor '%s'\n",
        Printable(file.path), Printable(table.unknown_extractor));
  }
}

void Report::AddReplaced(const VerifiedFile& verified) {
  if (verified.table.is_missing()) ++compacted_away_;
  if (verified.table.verdict == TableVerdict::kDamaged) Add(verified);
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
void FindRenamed(ScannedDatabase<VerifiedTable>* scanned) {
  const std::string& id = scanned->database.id;
  std::map<uint64_t, VerifiedTable*> renamed;  // by the number of their names
  for (ScannedFamily<VerifiedTable>& family : scanned->families) {
    for (auto& [file, table] : family.files) {
      if (table.original_number != 0 && !id.empty() &&
          table.database_id == id && table.original_number != file.number) {
        renamed[file.number] = &table;
      }
    }
  }
  for (const auto& [number, table] : renamed) {
    if (renamed.count(table->original_number) == 0) continue;
    table->verdict = TableVerdict::kDamaged;
    table->message = absl::StrFormat("is %06d.sst, by its properties",
                                     table->original_number);
  }
}

absl::StatusOr<int> Verify(const std::vector<std::string>& arguments) {
  const std::string& path = arguments[0];
  absl::StatusOr<ScannedDatabase<VerifiedTable>> scanned =
      ScanTables<VerifiedTable>(path, absl::GetFlag(FLAGS_db_paths),
                                absl::GetFlag(FLAGS_jobs), "verifying",
                                [](const auto& file, const auto& progress) {
                                  return VerifyTable(file, progress);
                                });
  if (!scanned.ok()) return scanned.status();
  if (!scanned->database.is_database) {
    const VerifiedTable& table = scanned->families[0].files[0].table;
    if (table.verdict == TableVerdict::kNotChecked) {
      return absl::UnimplementedError(absl::StrCat(path, ": ", table.message));
    }
  }
  FindRenamed(&*scanned);
  Report report;
  for (const ScannedFamily<VerifiedTable>& family : scanned->families) {
    for (const VerifiedFile& one : family.files) report.Add(one);
  }
  for (const VerifiedFile& one : scanned->replaced) report.AddReplaced(one);
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
