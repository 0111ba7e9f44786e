// The command `oneline refilter`: new filters for the tables of a closed
// database, by oneline::Refilter.

#include "oneline/refilter.h"

#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/command/command.h"
#include "tools/refilter/guards.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/refilter_database.h"
#include "tools/refilter/report.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

struct RefilterFlags : RefilterTask {
  std::string keep_old;
  int jobs = 1;
  std::optional<double> bytes_per_second;
  bool all = false, yes = false, json = false;
};

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// What was begun is finished: RocksDB can't interrupt a compaction.
void CatchSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { is_interrupted = true; };
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) {
    sigaction(signal, &action, nullptr);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

// Messages and the parent's directory take it as the name of a file.
std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// The compactions, or a dry run of them. That tables are left is no error here.
absl::Status RefilterTables(const RefilterFlags& flags, bool dry_run,
                            RefilterDatabase* database,
                            RefilterResult* result) {
  RefilterOptions options;
  options.column_families = database->chosen();
  options.threads = flags.jobs;
  options.all_tables = flags.all;
  options.bytes_per_second =
      static_cast<uint64_t>(flags.bytes_per_second.value_or(0));
  options.cancel = &is_interrupted;
  options.dry_run = dry_run;
  Progress progress(stderr);
  if (!dry_run) {
    progress.Begin("rewriting " + Tables(result->report.tables_found),
                   result->report.bytes_found, /*are_bytes=*/true);
  }
  uint64_t shown = 0;
  options.progress = [&](const RefilterProgress& now) {
    progress.Advance(now.bytes_done - shown);
    shown = now.bytes_done;
  };
  const rocksdb::Status status =
      Refilter(database->db(), options, &result->report);
  result->is_left_known = true;
  if (status.IsNoSpace()) database->LeaveOpen();
  if (is_interrupted) return absl::CancelledError("interrupted");
  if (status.ok() || status.IsIncomplete()) return absl::OkStatus();
  std::string why = status.ToString();
  for (const LeftTable& table : result->report.left) {
    if (table.status.ToString() != why) continue;
    why = absl::StrCat("column family '", table.column_family, "', ",
                       table.path, ": ", why);
    break;  // the others did not have their turn
  }
  return absl::UnavailableError(why);
}

absl::Status Look(const RefilterFlags& flags, RefilterResult* result) {
  const auto database =
      RefilterDatabase::Open(result->plan, /*to_change=*/false);
  if (!database.ok()) return database.status();
  return RefilterTables(flags, /*dry_run=*/true, database->get(), result);
}

absl::Status Change(const RefilterFlags& flags, RefilterResult* result) {
  // The look can have taken minutes.
  const RefilterPlan& plan = result->plan;
  result->is_left_known = false;
  absl::Status status = CheckUnchanged(plan.database, plan.options_file);
  if (!status.ok()) return status;
  result->is_changed = true;  // RocksDB writes files, also if it fails
  const auto database = RefilterDatabase::Open(plan, /*to_change=*/true);
  if (!database.ok()) return database.status();
  if (!flags.keep_old.empty()) {
    status = (*database)->Keep(flags.keep_old);
    if (!status.ok()) return status;
    result->kept = flags.keep_old;
  }
  const uint64_t found = result->report.tables_found;
  status = RefilterTables(flags, /*dry_run=*/false, database->get(), result);
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(), "; ", result->report.tables_rewritten,
                   " of ", Tables(found),
                   " have their new filters, and a second run goes on",
                   absl::IsCancelled(status)
                       ? ""
                       : " when the cause is gone; if that is a damaged file, "
                         "name the other column families by --column_family",
                   result->kept.empty()
                       ? ""
                       : ". The database as it was is in " + result->kept));
}

std::vector<std::string> RemarksOn(const RefilterResult& result, bool yes) {
  std::vector<std::string> remarks;
  for (const PlannedFamily& family : result.plan.families) {
    if (!family.is_chosen || family.policy == family.policy_in_options) {
      continue;
    }
    const std::string& name = family.descriptor.name;
    remarks.push_back(absl::StrCat(
        "Compactions in column family ", name,
        " will write the filters of the program's options, by the OPTIONS file "
        "filter_policy=",
        family.policy_in_options,
        ". To keep to the new ones, give the program, and the section "
        "[TableOptions/BlockBasedTable \"",
        name, "\"] of the newest OPTIONS file, the line filter_policy=",
        family.policy));
  }
  if (!yes && result.report.tables_found > 0) {
    remarks.push_back(
        "Nothing was changed. With --yes it is, unless RocksDB finds a "
        "write-ahead log damaged, which a dry run does not read.");
  }
  return remarks;
}

absl::Status Run(const RefilterFlags& flags, RefilterResult* result) {
  absl::StatusOr<RefilterPlan> plan = MakePlan(flags);
  if (!plan.ok()) return plan.status();
  result->plan = *std::move(plan);
  absl::Status status;
  if (!flags.keep_old.empty()) {
    status = CheckKeep(result->plan, flags.keep_old);
  }
  if (status.ok()) status = Look(flags, result);
  if (status.ok() && flags.yes && result->report.tables_found > 0) {
    status = Change(flags, result);
  }
  result->remarks = RemarksOn(*result, flags.yes);
  return status;
}

absl::StatusOr<int> RunRefilter(RefilterFlags flags) {
  CatchSignals();
  flags.database = WithoutSlash(flags.database);
  flags.keep_old = WithoutSlash(flags.keep_old);
  RefilterResult result;
  result.plan.database = flags.database;
  result.status = Run(flags, &result);
  if (flags.json) {
    PrintRefilterJson(result);
  } else if (result.status.ok()) {
    PrintRefilterText(result);
  }
  if (!result.status.ok()) return result.status;
  return result.report.left.empty() ? kExitFine : kExitFound;
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<RefilterFlags>();
  flags->Argument("PATH", &given->database);
  flags->Text("--filter_policy=POLICY",
              "the filters to write, as in an OPTIONS file, such as "
              "oneline:10; that of the database's OPTIONS file if not given",
              &given->policy);
  flags->Text("--column_family=NAMES",
              "the only column families, separated by commas; all if not given",
              &given->column_families);
  flags->Switch("--all", "all tables, also those that are as they should be",
                &given->all);
  flags->Switch("--yes", "do it, instead of saying what would be done",
                &given->yes);
  flags->Text("--keep_old=DIRECTORY",
              "the directory, which must not exist, in which to keep the "
              "database as it was, by hard links in the same file system",
              &given->keep_old);
  flags->List("--db_paths=DIRECTORIES",
              "all directories of tables, in the order of the program's "
              "db_paths, the database's own too",
              &given->db_paths);
  flags->Number("--jobs=N", "tables to process in parallel", {1, 64},
                &given->jobs);
  flags->Size("--rate=SIZE",
              "bytes of tables to rewrite per second, on average over all "
              "jobs, such as 20MiB; no limit if not given",
              {1024, kMaxBytes}, &given->bytes_per_second);
  flags->Switch("--json", "print JSON instead of text", &given->json);
  return [given] { return RunRefilter(*given); };
}

}  // namespace

const Command kRefilterCommand = {
    "refilter", "PATH [--filter_policy=POLICY] [--yes] [FLAGS]",
    "new filters for the tables of a closed database",
    R"(Gives new filters to the tables of the RocksDB database at PATH whose filter is
not the requested one: RocksDB compacts each of them onto its own level. The
database must not be open; a program that has it open calls oneline::Refilter
instead.

Without --yes it changes nothing, and prints the tables to rewrite, and the
memory of filters before and after. With it, the OPTIONS file stays as it is,
and so do the options of later openings. Tables that have the requested filter
are left alone, so a second run continues one that was interrupted.

POLICY is as in an OPTIONS file: oneline:10, {id=oneline;fp_rate=0.01},
bloomfilter:10:false, ribbonfilter:10, or nullptr for no filters.

The command refuses a database that needs something that this program does not
have, such as a merge operator.

Exit codes: 0 done, or it could be done; 1 done, except for tables that the
output names; 2 refused, interrupted or failed.

Examples:

    $ oneline refilter db --filter_policy=oneline:10
    $ oneline refilter db --filter_policy=oneline:10 --yes --jobs=4
)",
    &Define};

}  // namespace oneline
