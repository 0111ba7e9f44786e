// `oneline doctor`: whether a database has the filters that its options ask
// for, and what to do where it has not.

#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/doctor/doctor_findings.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"
#include "tools/text/paragraph.h"

namespace oneline {
namespace {

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The OPTIONS file before `newest`, of the two that RocksDB keeps; empty if
// there is none.
std::string OlderOptionsFile(const std::string& newest) {
  constexpr absl::string_view kPrefix = "OPTIONS-";
  const auto number = [&](const std::filesystem::path& path) {
    const std::string name = path.filename();
    uint64_t value = 0;
    return absl::StartsWith(name, kPrefix) &&
                   absl::SimpleAtoi(name.substr(kPrefix.size()), &value)
               ? value
               : 0;
  };
  const uint64_t last = number(newest);
  std::pair<uint64_t, std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(newest).parent_path(), error)) {
    const uint64_t n = number(entry.path());
    if (n < last && n > found.first) found = {n, entry.path()};
  }
  return found.second;
}

// RocksDB's own view of the file, with all that it drops: only whether it can
// be loaded at all, and the options of the database, are asked of it.
absl::StatusOr<rocksdb::DBOptions> LoadDBOptions(const std::string& path) {
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = true;
  config.ignore_unsupported_options = true;
  rocksdb::DBOptions options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  const rocksdb::Status status =
      rocksdb::LoadOptionsFromFile(config, path, &options, &families);
  if (status.ok()) return options;
  return absl::DataLossError(
      absl::StrCat(path, ": RocksDB can't load it: ", status.ToString()));
}

absl::StatusOr<Patient> Examine(const std::string& path) {
  absl::StatusOr<DatabaseSummary> database = SummarizeDatabase(
      path, absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs));
  if (!database.ok()) return database.status();
  const std::string file = database->options_file;
  if (file.empty()) {
    return absl::NotFoundError(absl::StrCat(
        path,
        ": has no OPTIONS file, which would say what filters are wanted"));
  }
  absl::StatusOr<OptionsFile> options = OptionsFile::Load(file);
  if (!options.ok()) return options.status();
  absl::StatusOr<rocksdb::DBOptions> db_options = LoadDBOptions(file);
  if (!db_options.ok()) return db_options.status();
  Patient patient{
      *std::move(database), *db_options, *std::move(options), {}, {},
      ReadLogs(path),       {}};
  patient.older_options_file = OlderOptionsFile(file);
  if (!patient.older_options_file.empty()) {
    absl::StatusOr<OptionsFile> older =
        OptionsFile::Load(patient.older_options_file);
    if (older.ok()) patient.older_options = *std::move(older);
  }
  if (const auto bytes = absl::GetFlag(FLAGS_block_cache)) {
    patient.block_cache_bytes = bytes->bytes;
  }
  return patient;
}

constexpr size_t kIndent = 4;

void PrintLevel(const LevelTables& level) {
  absl::PrintF("    L%-2d %14s %13s keys %9s of filters", level.level,
               Tables(level.tables), WithCommas(level.keys),
               BytesText(static_cast<double>(level.filter_bytes)));
  if (level.expected_bytes > 0 && level.keys > 0) {
    const double keys = static_cast<double>(level.keys);
    absl::PrintF(", %.2f bits per key, now %.2f",
                 8 * static_cast<double>(level.filter_bytes) / keys,
                 8 * level.expected_bytes / keys);
  }
  absl::PrintF("\n");
}

void PrintFinding(size_t number, const Finding& finding) {
  absl::PrintF("\n%2d. %s", number, finding.kind);
  if (!finding.column_family.empty()) {
    absl::PrintF(", column family \"%s\"", finding.column_family);
  }
  absl::PrintF("\n");
  PrintParagraph(finding.what, kIndent);
  for (const LevelTables& level : finding.levels) PrintLevel(level);
  PrintParagraph(absl::StrCat("What to do: ", finding.remedy), kIndent);
  for (const std::string& command : finding.commands) {
    absl::PrintF("      %s\n", command);
  }
}

void PrintText(const Patient& patient, const Diagnosis& diagnosis) {
  const DatabaseSummary& database = patient.database;
  absl::PrintF("%s, %s\ntables: %d; column families: %d\n", database.path,
               FileName(database.options_file), database.num_tables(),
               database.column_families.size());
  size_t number = 0;
  for (const Finding& finding : diagnosis.findings) {
    PrintFinding(++number, finding);
  }
  if (diagnosis.findings.empty()) {
    absl::PrintF("Nothing found: the filters are as the options want them.\n");
  }
  for (const std::string& note : diagnosis.notes) {
    absl::PrintF("\n");
    PrintParagraph(absl::StrCat("Note: ", note), 0);
  }
}

void PrintJson(const Patient& patient, const Diagnosis& diagnosis) {
  using Json = nlohmann::ordered_json;
  Json findings = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    Json levels = Json::array();
    for (const LevelTables& level : finding.levels) {
      Json one = {{"level", level.level},
                  {"tables", level.tables},
                  {"keys", level.keys},
                  {"filter_bytes", level.filter_bytes}};
      if (level.expected_bytes > 0)
        one["expected_bytes"] = level.expected_bytes;
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
      {"path", patient.database.path},
      {"options_file", patient.database.options_file},
      {"tables", patient.database.num_tables()},
      {"column_families", patient.database.column_families.size()},
      {"findings", findings},
      {"notes", diagnosis.notes}};
  // Names may be any bytes.
  absl::PrintF("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

absl::StatusOr<int> RunDoctor(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Patient> patient = Examine(arguments[0]);
  if (!patient.ok()) return patient.status();
  const Diagnosis diagnosis = Diagnose(*patient);
  if (absl::GetFlag(FLAGS_json)) {
    PrintJson(*patient, diagnosis);
  } else {
    PrintText(*patient, diagnosis);
  }
  return diagnosis.findings.empty() ? kExitFine : kExitFound;
}

}  // namespace

const Command kDoctorCommand = {
    "doctor",
    "PATH [--block_cache BYTES] [--db_paths DIRECTORIES] [--jobs N] [--json]",
    "whether the tables have the filters that the options want",
    "Compares the filters of all tables of the database at PATH with what its\n"
    "OPTIONS file asks for: tables without a filter, with another kind or "
    "other\n"
    "bits per key; a policy that is not known, set wrongly, or gone; filters\n"
    "that no lookup can use, or for which the block cache is too small. Says "
    "of\n"
    "each what is wrong, which tables, and what to do.\n"
    "\n"
    "Only reads, also beside a running database. Exit codes: 0 nothing found,\n"
    "1 something was found, 2 it could not be looked at.\n"
    "\n"
    "    oneline doctor db\n",
    {"block_cache", "db_paths", "jobs", "json"},
    1,
    1,
    RunDoctor};

}  // namespace oneline
