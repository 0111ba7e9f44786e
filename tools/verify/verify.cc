// The command `oneline verify`: looks every key up in its table's own filter.

#include <rocksdb/env.h>
#include <rocksdb/rate_limiter.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/database/table_scan.h"
#include "tools/sst/sst_reader.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

// What is said of one table.
struct Problem {
  std::string_view what;
  std::string path, why;
};

// The results of all tables.
struct Report {
  void Add(const VerifiedTable& table);
  // A table that the database has replaced meanwhile: only its damage counts.
  void AddReplaced(const VerifiedTable& table);

  void PrintText() const;  // on standard output
  Json ToJson() const;

  std::vector<Problem> problems;
  std::vector<absl::Status> statuses;  // of tables, with their paths
  // Tables.
  uint64_t intact = 0, unfiltered = 0, damaged = 0, unreadable = 0;
  uint64_t not_checked = 0, unchecked_prefixes = 0, compacted_away = 0;
  // What the intact tables contain.
  uint64_t blocks = 0, partitions = 0, keys = 0, prefixes = 0;
};

void Report::Add(const VerifiedTable& table) {
  const std::string& path = table.file.path;
  statuses.push_back(WithPath(path, table.status));
  const auto count = [&](uint64_t* tables, std::string_view what,
                         const std::string& why) {
    ++*tables;
    problems.push_back({what, path, why});
  };
  const std::string why(table.status.message());
  if (IsLost(table.status)) {
    count(&damaged, "damaged", why);
  } else if (absl::IsUnavailable(table.status)) {
    count(&unreadable, "can't be read", why);
  } else if (absl::IsUnimplemented(table.status)) {
    count(&not_checked, "not checked", why);
  } else if (!table.has_filter) {
    ++unfiltered;
  } else {
    ++intact;
    blocks += table.blocks;
    partitions += table.partitions;
    keys += table.keys;
    prefixes += table.prefixes;
  }
  if (!table.unknown_extractor.empty()) {
    count(&unchecked_prefixes, "only whole keys were checked",
          absl::StrCat("this program does not have the prefix extractor '",
                       table.unknown_extractor, "'"));
  }
}

void Report::AddReplaced(const VerifiedTable& table) {
  if (table.is_missing()) {
    ++compacted_away;
  } else if (IsLost(table.status)) {
    Add(table);
  }
}

void Report::PrintText() const {
  for (const Problem& problem : problems) {
    absl::PrintF("%s: %s: %s\n", Printable(problem.path), problem.what,
                 Printable(problem.why));
  }
  const auto print_if_any = [](uint64_t n, const char* what) {
    if (n > 0) absl::PrintF("%s %s\n", Tables(n), what);
  };
  print_if_any(unfiltered, "without a filter");
  print_if_any(not_checked, "not checked");
  print_if_any(unchecked_prefixes, "whose prefixes were not checked");
  print_if_any(compacted_away, "compacted away meanwhile");
  print_if_any(unreadable, "that could not be read");
  absl::PrintF("%s intact: %s filter blocks, %s of them partitions; %s keys",
               Tables(intact), WithCommas(blocks), WithCommas(partitions),
               WithCommas(keys));
  if (prefixes > 0) absl::PrintF(", %s prefixes", WithCommas(prefixes));
  absl::PrintF("\n");
  print_if_any(damaged, "DAMAGED");
}

Json Report::ToJson() const {
  Json all = Json::array();
  for (const Problem& problem : problems) {
    all.push_back(
        {{"file", problem.path}, {"what", problem.what}, {"why", problem.why}});
  }
  return {{"intact", intact},
          {"damaged", damaged},
          {"unreadable", unreadable},
          {"not_checked", not_checked},
          {"without_filter", unfiltered},
          {"prefixes_not_checked", unchecked_prefixes},
          {"compacted_away", compacted_away},
          {"filter_blocks", blocks},
          {"partitions", partitions},
          {"keys", keys},
          {"prefixes", prefixes},
          {"problems", all}};
}

// Finds tables that have each other's names. A table from another database may
// have had any number there. One that was exported from this database and
// imported again has a new number, which no table was written with. So a number
// in the properties that is now that of another table, which was not written
// with it either, tells that files were renamed.
void FindRenamed(ScannedDatabase<VerifiedTable>* scanned) {
  const std::string& id = scanned->id;
  std::map<uint64_t, VerifiedTable*> renamed;  // by the number of their names
  for (auto& family : scanned->column_families) {
    for (VerifiedTable& table : family.tables) {
      if (table.original_number != 0 && !id.empty() &&
          table.database_id == id &&
          table.original_number != table.file.number) {
        renamed[table.file.number] = &table;
      }
    }
  }
  for (const auto& [number, table] : renamed) {
    if (renamed.count(table->original_number) == 0) continue;
    table->status = absl::DataLossError(absl::StrFormat(
        "is %06d.sst, by its properties", table->original_number));
  }
}

struct VerifyFlags : ScanFlags {
  std::string path;
  std::optional<double> bytes_per_second;
};

// By --rate; null without it.
std::unique_ptr<rocksdb::RateLimiter> LimiterBy(const VerifyFlags& flags) {
  if (!flags.bytes_per_second.has_value()) return nullptr;
  return std::unique_ptr<rocksdb::RateLimiter>(rocksdb::NewGenericRateLimiter(
      static_cast<int64_t>(*flags.bytes_per_second),
      /*refill_period_us=*/100 * 1000,
      /*fairness=*/10, rocksdb::RateLimiter::Mode::kReadsOnly));
}

// Waits until the limiter, if there is one, lets so many bytes pass.
void AwaitTurn(double bytes, rocksdb::RateLimiter* limiter) {
  if (limiter == nullptr) return;
  for (auto left = static_cast<size_t>(bytes); left > 0;) {
    left -= limiter->RequestToken(left, 0, rocksdb::Env::IO_LOW, nullptr,
                                  rocksdb::RateLimiter::OpType::kRead);
  }
}

absl::StatusOr<int> Verify(const VerifyFlags& flags) {
  const std::unique_ptr<rocksdb::RateLimiter> limiter = LimiterBy(flags);
  const auto verify = [&](const TableFile& file,
                          const EntryProgress& progress) {
    return VerifyTable(file, [&](uint64_t read, uint64_t all) {
      progress(read, all);
      if (all == 0) return;
      AwaitTurn(1.0 * file.bytes * read / all, limiter.get());
    });
  };
  absl::StatusOr<ScannedDatabase<VerifiedTable>> scanned =
      ScanTables<VerifiedTable>(flags.path, flags.db_paths, flags.jobs,
                                "verifying", verify);
  if (!scanned.ok()) return scanned.status();
  const VerifiedTable* const single =
      scanned->is_database ? nullptr : &scanned->column_families[0].tables[0];
  if (single != nullptr && absl::IsUnimplemented(single->status)) {
    return WithPath(flags.path, single->status);
  }
  FindRenamed(&*scanned);
  Report report;
  for (const auto& family : scanned->column_families) {
    for (const VerifiedTable& table : family.tables) report.Add(table);
  }
  for (const VerifiedTable& one : scanned->replaced) report.AddReplaced(one);
  if (flags.json) {
    PrintJson(report.ToJson());
  } else {
    report.PrintText();
  }
  return ExitCodeOf(report.statuses);
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<VerifyFlags>();
  flags->Argument("PATH", &given->path);
  given->AddTo(flags);
  flags->Size("--rate=SIZE",
              "bytes of tables to read per second, on average over all jobs, "
              "such as 20MiB; no limit if not given",
              {1024, kMaxBytes}, &given->bytes_per_second);
  return [given] { return Verify(*given); };
}

}  // namespace

extern const Command kVerifyCommand = {
    "verify", "PATH [FLAGS]",
    "reads every filter and looks every key up in its own",
    R"(Reads every filter block and partition of a database, or of one SST file,
verifies the checksums, and looks up every key of a table, deleted keys and
prefixes included, in the table's own filter. Lookups miss a key that its filter
does not match. verify also finds damaged data blocks of tables with a filter.
It counts tables without a filter, but does not read them. It also compares each
table with what the MANIFEST says of it.

For each damaged file it prints the first problem, and goes on with the other
files. It changes nothing. Another process may have the database open: tables
that it compacts away meanwhile are not reported as damage. --rate limits what
verify takes of the disk.

Exit codes: 0 no damage was found, 1 a table or a filter is damaged or missing,
2 PATH, or a table, could not be read.

Examples:

    $ oneline verify db --jobs=4 --rate=20MiB
)",
    &Define};

}  // namespace oneline
