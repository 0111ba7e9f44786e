// `oneline doctor`: compares the filters of a database with those that its
// options ask for, and says what to do where they differ.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "tools/command/command.h"
#include "tools/doctor/family.h"
#include "tools/doctor/report.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

constexpr Findings (*kFamilyChecks[])(const Family&) = {
    CheckReadable,          CheckTableFormat,       CheckPolicyIsValid,
    CheckExpectedPolicy,    CheckPolicyIsNotGone,   CheckKeysToFilter,
    CheckNothingWasRefused, CheckOptionsAreNotLost, CheckDamage,
    CheckExpectedFilters,   NoteReplacedFilters,    NoteNoLastFilters};

constexpr Findings (*kDatabaseChecks[])(const Families&) = {
    CheckLog, CheckExpectedFamilies, CheckSomeFamilyHasAPolicy,
    CheckBlockCaches, CheckStatistics};

struct DoctorFlags : ScanFlags {
  std::vector<std::string> paths;
  std::vector<std::string> expect;
  std::optional<double> block_cache_bytes;
  bool prometheus = false;
};

// The first of what the system did not let this program read.
absl::Status NotExamined(const DatabaseSnapshot& snapshot) {
  for (const auto& family : snapshot.column_families) {
    for (const TableSummary& table : family.tables) {
      if (absl::IsUnavailable(table.status)) return table.status;
    }
  }
  return snapshot.log.status;
}

absl::StatusOr<int> RunDoctor(const DoctorFlags& flags) {
  const absl::StatusOr<Expectations> expectations =
      ParseExpectations(flags.expect);
  if (!expectations.ok()) return expectations.status();
  if (flags.json && flags.prometheus) {
    return absl::InvalidArgumentError("give --json or --prometheus, not both");
  }
  const bool text = !flags.json && !flags.prometheus;
  const bool is_single = flags.paths.size() == 1;
  Json all = Json::array();
  std::map<std::string, std::optional<Findings>> examined;
  bool has_fault = false;
  absl::Status failure;  // the first
  for (const std::string& path : flags.paths) {
    if (text && &path != &flags.paths.front()) absl::PrintF("\n");
    absl::StatusOr<DatabaseSnapshot> snapshot =
        LoadSnapshot(path, flags.db_paths, flags.jobs);
    failure.Update(snapshot.status());
    if (!snapshot.ok()) {
      if (is_single) return failure;
      const std::string why(snapshot.status().message());
      all.push_back({{"path", path}, {"error", why}});
      examined[path] = std::nullopt;
      if (flags.json) continue;
      absl::FPrintF(text ? stdout : stderr, "Not examined: %s\n",
                    Printable(why));
      continue;
    }
    snapshot->expectations = *expectations;
    snapshot->block_cache_bytes = flags.block_cache_bytes;
    const Findings findings = Diagnose(*snapshot);
    for (const Finding& finding : findings) has_fault |= finding.is_fault();
    failure.Update(NotExamined(*snapshot));
    all.push_back(DatabaseJson(*snapshot, findings));
    if (text) PrintText(*snapshot, findings);
    examined[path] = findings;
  }
  if (flags.json) PrintJson(is_single ? all[0] : all);
  if (flags.prometheus) absl::PrintF("%s", MetricsText(examined));
  if (has_fault) return kExitFound;
  if (!failure.ok()) return failure;
  return kExitFine;
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<DoctorFlags>();
  flags->Arguments("PATH", 1, &given->paths);
  flags->List("--expect=POLICIES",
              "the filters that there should be: oneline or none; of one "
              "column family default:oneline; several",
              &given->expect);
  flags->Size("--block_cache=SIZE",
              "size of the block cache that all column families share, such as "
              "8GiB; read from the LOG if not given",
              {0, kMaxBytes}, &given->block_cache_bytes);
  given->AddTo(flags);
  flags->Switch("--prometheus",
                "print metrics in Prometheus's text format instead of text",
                &given->prometheus);
  return [given] { return RunDoctor(*given); };
}

}  // namespace

Findings Diagnose(const DatabaseSnapshot& snapshot) {
  const Families families = FamiliesOf(snapshot);
  Findings all;
  for (const Family& family : families) {
    for (const auto check : kFamilyChecks) Append(check(family), &all);
  }
  for (const auto check : kDatabaseChecks) Append(check(families), &all);
  return all;
}

const Command kDoctorCommand = {
    "doctor", "PATH... [FLAGS]",
    "whether the tables have the filters that the options ask for",
    R"(Compares the filters of all tables of each database at PATH with what its
OPTIONS file asks for. Finds tables with no filter, another kind of filter or
other bits per key; a filter policy that is unknown, invalid, gone, or not as
--expect says; filters that no lookup can use; filters too large for the block
cache; and, if the program keeps statistics, filters that lookups do not query
or that hardly help them, and the share of lookups that find their key in the
last level. For each finding it prints what is wrong, which tables have it, and
what to do.

A finding is a fault if lookups fail or are slower than they should be, and
otherwise a warning, such as filters of another kind until compactions have
replaced them.

It only reads, and may run beside a program that has the database open.

Exit codes: 0 no fault, 1 a fault in one of the databases, 2 failed, or no fault
but the system did not let it read a database or tables.

Examples:

    $ oneline doctor db
)",
    &Define};

}  // namespace oneline
