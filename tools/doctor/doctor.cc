// `oneline doctor`: compares the filters of a database with those that its
// options ask for, and says what to do where they differ.

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/doctor/diagnosis.h"
#include "tools/text/byte_size.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"
#include "tools/text/paragraph.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

constexpr size_t kIndent = 4;

void PrintLevel(const AffectedLevel& level) {
  absl::PrintF("    L%-2d %14s %13s keys %9s of filters", level.level,
               Tables(level.tables), WithCommas(level.keys),
               BytesText(static_cast<double>(level.filter_bytes)));
  if (level.expected_bytes > 0 && level.keys > 0) {
    const auto per_key = [&level](double bytes) {
      return absl::StrFormat("%.2f", BitsPerKey(bytes, level.keys));
    };
    const std::string least = per_key(level.expected_bytes);
    const std::string most = per_key(level.most_expected_bytes);
    absl::PrintF(", %s bits per key, expected %s%s",
                 per_key(static_cast<double>(level.filter_bytes)), least,
                 least == most ? "" : absl::StrCat(" to ", most));
  }
  absl::PrintF("\n");
}

void PrintFinding(size_t number, const Finding& finding) {
  absl::PrintF("\n%2d. %s%s", number, finding.kind,
               finding.is_fault() ? "" : " (a warning)");
  if (!finding.column_family.empty()) {
    absl::PrintF(", column family \"%s\"", Printable(finding.column_family));
  }
  absl::PrintF("\n");
  PrintParagraph(finding.what, kIndent);
  for (const AffectedLevel& level : finding.levels) PrintLevel(level);
  PrintParagraph(absl::StrCat("What to do: ", finding.remedy), kIndent);
  for (const std::string& command : finding.commands) {
    absl::PrintF("      %s\n", command);
  }
}

void PrintText(const DatabaseSnapshot& snapshot, const Diagnosis& diagnosis) {
  const DatabaseSummary& database = snapshot.database;
  absl::PrintF("%s, %s\ntables: %d; column families: %d\n",
               Printable(database.path),
               std::filesystem::path(database.options_file).filename().string(),
               database.num_tables(), database.column_families.size());
  size_t number = 0;
  for (const Finding& finding : diagnosis.findings) {
    PrintFinding(++number, finding);
  }
  if (diagnosis.findings.empty()) {
    absl::PrintF("No problems found: the filters are as the options ask.\n");
  }
  for (const std::string& note : diagnosis.notes) {
    absl::PrintF("\n");
    PrintParagraph(absl::StrCat("Note: ", note), 0);
  }
}

// Null if the newest LOG has none.
Json StatisticsJson(const std::optional<LookupStatistics>& statistics,
                    const std::optional<FilterRates>& expected) {
  if (!statistics.has_value() || !statistics->is_of_newest_log) return nullptr;
  const LookupStatistics& sample = *statistics;
  Json json = {{"begin", TextOrNull(sample.begin)},
               {"end", sample.end},
               {"lookups", sample.lookups()},
               {"seeks", sample.seeks},
               {"filter_queries", sample.queries()},
               {"fp_rate", OrNull(sample.fp_rate())},
               {"lowest_expected_fp_rate", nullptr},
               {"highest_expected_fp_rate", nullptr}};
  if (expected.has_value()) {
    json["lowest_expected_fp_rate"] = expected->lowest;
    json["highest_expected_fp_rate"] = expected->highest;
  }
  return json;
}

Json DatabaseJson(const DatabaseSnapshot& snapshot,
                  const Diagnosis& diagnosis) {
  Json findings = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    Json levels = Json::array();
    for (const AffectedLevel& level : finding.levels) {
      Json one = {{"level", level.level},
                  {"tables", level.tables},
                  {"keys", level.keys},
                  {"filter_bytes", level.filter_bytes},
                  {"expected_bytes", nullptr},
                  {"most_expected_bytes", nullptr}};
      if (level.expected_bytes > 0) {
        one["expected_bytes"] = level.expected_bytes;
        one["most_expected_bytes"] = level.most_expected_bytes;
      }
      levels.push_back(one);
    }
    findings.push_back({{"kind", finding.kind},
                        {"severity", finding.is_fault() ? "fault" : "warning"},
                        {"column_family", finding.column_family},
                        {"what", finding.what},
                        {"remedy", finding.remedy},
                        {"commands", finding.commands},
                        {"levels", levels}});
  }
  return {{"path", snapshot.database.path},
          {"options_file", snapshot.database.options_file},
          {"tables", snapshot.database.num_tables()},
          {"column_families", snapshot.database.column_families.size()},
          {"findings", findings},
          {"statistics",
           StatisticsJson(snapshot.statistics, diagnosis.expected_rates)},
          {"hits", OrNull(diagnosis.hits)},
          {"notes", diagnosis.notes}};
}

absl::StatusOr<int> RunDoctor(const std::vector<std::string>& paths) {
  const absl::StatusOr<Expectations> expectations =
      Expectations::Parse(absl::GetFlag(FLAGS_expect));
  if (!expectations.ok()) return expectations.status();
  const bool json = absl::GetFlag(FLAGS_json);
  const bool prometheus = absl::GetFlag(FLAGS_prometheus);
  const bool text = !json && !prometheus;
  Json all = Json::array();
  PrometheusText metrics;
  bool has_fault = false;
  absl::Status failure;  // the first
  for (const std::string& path : paths) {
    if (text && &path != &paths.front()) absl::PrintF("\n");
    absl::StatusOr<DatabaseSnapshot> snapshot = LoadSnapshot(
        path, absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs));
    failure.Update(snapshot.status());
    if (!snapshot.ok()) {
      if (paths.size() == 1) return failure;
      const std::string why(snapshot.status().message());
      all.push_back({{"path", path}, {"error", why}});
      AddExamined(path, false, &metrics);
      if (text) {
        absl::PrintF("Not examined: %s\n", Printable(why));
      } else if (prometheus) {
        absl::FPrintF(stderr, "Not examined: %s\n", Printable(why));
      }
      continue;
    }
    snapshot->expectations = *expectations;
    if (const auto size = absl::GetFlag(FLAGS_block_cache)) {
      snapshot->block_cache_bytes = size->bytes;
    }
    const Diagnosis diagnosis = Diagnose(*snapshot);
    has_fault |= diagnosis.has_fault();
    failure.Update(
        snapshot->database.FirstWith(absl::StatusCode::kUnavailable));
    all.push_back(DatabaseJson(*snapshot, diagnosis));
    AddMetrics(path, diagnosis, &metrics);
    if (text) PrintText(*snapshot, diagnosis);
  }
  if (json) PrintJson(paths.size() == 1 ? all[0] : all);
  if (prometheus) absl::PrintF("%s", metrics.Text());
  if (has_fault) return kExitFound;
  if (!failure.ok()) return failure;
  return kExitFine;
}

}  // namespace

const Command kDoctorCommand = {
    "doctor",
    "PATH... [FLAGS]",
    "whether the tables have the filters that the options ask for",
    R"(Compares the filters of all tables of each database at PATH with what its
OPTIONS file asks for. Finds tables with no filter, another kind of filter or
other bits per key; a filter policy that is unknown, invalid, gone, or not as
--expect says; filters that no lookup can use; filters too large for the block
cache; and, if the program keeps statistics, filters that lookups do not query
or that hardly help them. For each finding it prints what is wrong, which tables
have it, and what to do.

A finding is a fault if lookups fail or are slower than they should be, and
otherwise a warning, such as filters of another kind until compactions have
replaced them.

It only reads, and may run beside a program that has the database open.

Exit codes: 0 no fault, 1 a fault in one of the databases, 2 failed, or no fault
but the system did not let it read a database or tables.

Example:

    oneline doctor db
)",
    {"expect", "block_cache", "db_paths", "jobs", "json", "prometheus"},
    1,
    std::numeric_limits<size_t>::max(),
    RunDoctor};

}  // namespace oneline
