// `oneline doctor`: compares the filters of a database with those that its
// options ask for, and says what to do where they differ.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/doctor/diagnosis.h"
#include "tools/doctor/diagnosis_prometheus.h"
#include "tools/text/byte_size.h"
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
      return absl::StrFormat("%.2f",
                             8 * bytes / static_cast<double>(level.keys));
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
  absl::PrintF("\n%2d. %s", number, finding.kind);
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
  absl::PrintF("%s, %s\ntables: %d; column families: %d\n", database.path,
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

void PrintJson(const DatabaseSnapshot& snapshot, const Diagnosis& diagnosis) {
  using Json = nlohmann::ordered_json;
  Json findings = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    Json levels = Json::array();
    for (const AffectedLevel& level : finding.levels) {
      Json one = {{"level", level.level},
                  {"tables", level.tables},
                  {"keys", level.keys},
                  {"filter_bytes", level.filter_bytes}};
      if (level.expected_bytes > 0) {
        one["expected_bytes"] = level.expected_bytes;
        one["most_expected_bytes"] = level.most_expected_bytes;
      }
      levels.push_back(one);
    }
    findings.push_back({{"kind", finding.kind},
                        {"column_family", finding.column_family},
                        {"what", finding.what},
                        {"remedy", finding.remedy},
                        {"commands", finding.commands},
                        {"levels", levels}});
  }
  const Json all = {
      {"path", snapshot.database.path},
      {"options_file", snapshot.database.options_file},
      {"tables", snapshot.database.num_tables()},
      {"column_families", snapshot.database.column_families.size()},
      {"findings", findings},
      {"notes", diagnosis.notes}};
  // Column families may have names that are not valid UTF-8.
  absl::PrintF("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

// Unavailable if nothing was found but tables that could not be read.
absl::StatusOr<int> ExitCode(const DatabaseSummary& database,
                             const Diagnosis& diagnosis) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.kind != kNotExamined) return kExitFound;
  }
  const absl::Status refused =
      database.FirstWith(absl::StatusCode::kUnavailable);
  if (!refused.ok()) return refused;
  return kExitFine;
}

absl::StatusOr<int> RunDoctor(const std::vector<std::string>& arguments) {
  absl::StatusOr<DatabaseSnapshot> snapshot = LoadSnapshot(
      arguments[0], absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs));
  if (!snapshot.ok()) return snapshot.status();
  if (const auto size = absl::GetFlag(FLAGS_block_cache)) {
    snapshot->block_cache_bytes = size->bytes;
  }
  const Diagnosis diagnosis = Diagnose(*snapshot);
  if (absl::GetFlag(FLAGS_json)) {
    PrintJson(*snapshot, diagnosis);
  } else if (absl::GetFlag(FLAGS_prometheus)) {
    PrometheusText metrics;
    AddMetrics(arguments[0], diagnosis, &metrics);
    absl::PrintF("%s", metrics.Text());
  } else {
    PrintText(*snapshot, diagnosis);
  }
  return ExitCode(snapshot->database, diagnosis);
}

}  // namespace

const Command kDoctorCommand = {
    "doctor",
    "PATH [FLAGS]",
    "whether the tables have the filters that the options ask for",
    R"(Compares the filters of all tables of the database at PATH with what its
OPTIONS file asks for. Finds tables with no filter, another kind of filter or
other bits per key; a filter policy that is unknown, invalid or gone; filters
that no lookup can use; and filters too large for the block cache. For each
finding it prints what is wrong, which tables have it, and what to do.

It only reads, and may run beside a program that has the database open.

Exit codes: 0 nothing found, 1 something found, 2 failed, or nothing found but
tables that the system did not let it read.

Example:

    oneline doctor db
)",
    {"block_cache", "db_paths", "jobs", "json", "prometheus"},
    1,
    1,
    RunDoctor};

}  // namespace oneline
