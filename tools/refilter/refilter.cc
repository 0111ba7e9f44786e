// The command `oneline refilter`: new filters for the tables of a closed
// database, by oneline::Refilter.

#include "oneline/refilter.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/refilter/guards.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/refilter_database.h"
#include "tools/refilter/report.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

constexpr int kMaxJobs = 64;
constexpr double kLeastRate = 1024;

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
  std::signal(SIGPIPE, SIG_IGN);
}

// Messages and the parent's directory take it as the name of a file.
std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

RefilterTask TaskByFlags(const std::string& database) {
  RefilterTask task;
  task.database = WithoutSlash(database);
  task.db_paths = absl::GetFlag(FLAGS_db_paths);
  const std::string policy = absl::GetFlag(FLAGS_filter_policy);
  if (!policy.empty()) task.policy = policy;
  task.column_families = absl::GetFlag(FLAGS_column_family);
  return task;
}

RefilterOptions OptionsByFlags(rocksdb::ColumnFamilyHandle* family) {
  RefilterOptions options;
  options.column_families = {family};
  options.threads = absl::GetFlag(FLAGS_jobs).jobs;
  options.all_tables = absl::GetFlag(FLAGS_all);
  const auto rate = absl::GetFlag(FLAGS_rate);
  options.bytes_per_second =
      rate.has_value() ? static_cast<uint64_t>(rate->bytes) : 0;
  options.cancel = &is_interrupted;
  return options;
}

// The compactions of each chosen family, or a dry run of them, one family after
// the other. That tables are left is no error here.
absl::Status RefilterFamilies(RefilterDatabase* database,
                              const RefilterPlan& plan, bool dry_run,
                              Progress* progress, RefilterResult* result) {
  size_t next = 0;
  for (size_t i = 0; i < plan.families.size(); ++i) {
    if (!plan.families[i].is_chosen) continue;
    RefilterOptions options = OptionsByFlags(database->family(i));
    options.dry_run = dry_run;
    uint64_t shown = 0;
    options.progress = [&](const RefilterProgress& now) {
      progress->Advance(now.bytes_done - shown);
      shown = now.bytes_done;
    };
    const rocksdb::Status status =
        Refilter(database->db(), options, &result->families[next++].report);
    if (status.IsNoSpace()) database->LeaveOpen();
    if (is_interrupted) return absl::CancelledError("interrupted");
    if (!status.ok() && !status.IsIncomplete()) {
      return absl::UnavailableError(status.ToString());
    }
  }
  return absl::OkStatus();
}

absl::Status Look(const RefilterPlan& plan, RefilterResult* result) {
  const auto database = RefilterDatabase::Open(plan, /*to_change=*/false);
  if (!database.ok()) return database.status();
  for (size_t i = 0; i < plan.families.size(); ++i) {
    // Of all families: opening the database can write tables of each.
    const absl::Status collectors = (*database)->CheckCollectors(i);
    if (!collectors.ok()) return collectors;
    const PlannedFamily& family = plan.families[i];
    if (!family.is_chosen) continue;
    result->families.push_back({family.descriptor.name, family.policy,
                                family.policy_in_options, RefilterReport()});
  }
  Progress progress(stderr);
  return RefilterFamilies(database->get(), plan, /*dry_run=*/true, &progress,
                          result);
}

absl::Status Change(const RefilterPlan& plan, const std::string& keep,
                    RefilterResult* result) {
  // The look can have taken minutes.
  const absl::Status unchanged =
      CheckUnchanged(plan.database, plan.options_file);
  if (!unchanged.ok()) return unchanged;
  const auto database = RefilterDatabase::Open(plan, /*to_change=*/true);
  if (!database.ok()) return database.status();
  result->is_changed = true;  // what the logs had are tables
  if (!keep.empty()) {
    const absl::Status kept = (*database)->Keep(plan, keep);
    if (!kept.ok()) return kept;
    result->kept = keep;
  }
  const uint64_t tables = result->Sum(&RefilterReport::tables_found);
  Progress progress(stderr);
  progress.BeginBytes("rewriting " + Tables(tables),
                      result->Sum(&RefilterReport::bytes_found));
  for (RefilteredFamily& family : result->families) family.report = {};
  const absl::Status status = RefilterFamilies(
      database->get(), plan, /*dry_run=*/false, &progress, result);
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat(
          status.message(), "; ",
          result->Sum(&RefilterReport::tables_rewritten), " of ",
          Tables(tables), " have their new filters, and a second run goes on",
          keep.empty() ? "" : ". The database as it was is in " + keep));
}

// The newest OPTIONS file: each opening writes one.
std::string OptionsFileNow(const RefilterPlan& plan) {
  std::string name;
  return rocksdb::GetLatestOptionsFileName(plan.database,
                                           rocksdb::Env::Default(), &name)
                 .ok()
             ? absl::StrCat(plan.database, "/", name)
             : plan.options_file;
}

std::vector<std::string> RemarksOn(const RefilterResult& result,
                                   const RefilterPlan& plan) {
  std::vector<std::string> remarks;
  for (const RefilteredFamily& family : result.families) {
    if (family.policy == family.policy_in_options) continue;
    remarks.push_back(absl::StrCat(
        "Compactions in column family ", family.name,
        " will write the filters of the program's options, by the OPTIONS file "
        "filter_policy=",
        family.policy_in_options,
        ". To keep to the new ones, give the program, and the section "
        "[TableOptions/BlockBasedTable \"",
        family.name, "\"] of ", OptionsFileNow(plan),
        ", the line filter_policy=", family.policy));
  }
  if (!result.is_changed && result.Sum(&RefilterReport::tables_found) > 0) {
    remarks.push_back(
        "Read-only and secondary instances hold no lock, so that they are not "
        "noticed: close them before a run with --yes.");
    if (!absl::GetFlag(FLAGS_yes)) {
      remarks.push_back("Nothing was changed. With --yes it is.");
    }
  }
  return remarks;
}

absl::Status Run(const RefilterTask& task, RefilterResult* result) {
  if (absl::GetFlag(FLAGS_jobs).jobs > kMaxJobs) {
    return absl::InvalidArgumentError(
        absl::StrCat("--jobs: must be at most ", kMaxJobs));
  }
  const std::optional<ByteSize> rate = absl::GetFlag(FLAGS_rate);
  if (rate.has_value() && rate->bytes < kLeastRate) {
    return absl::InvalidArgumentError("--rate must be at least 1KiB");
  }
  const absl::StatusOr<RefilterPlan> plan = MakePlan(task);
  if (!plan.ok()) return plan.status();
  const std::string keep = WithoutSlash(absl::GetFlag(FLAGS_keep_old));
  absl::Status status;
  if (!keep.empty()) status = CheckKeep(*plan, keep);
  if (status.ok()) status = Look(*plan, result);
  if (status.ok() && absl::GetFlag(FLAGS_yes) &&
      result->Sum(&RefilterReport::tables_found) > 0) {
    status = Change(*plan, keep, result);
  }
  result->remarks = RemarksOn(*result, *plan);
  return status;
}

absl::StatusOr<int> RunRefilter(const std::vector<std::string>& arguments) {
  CatchSignals();
  const RefilterTask task = TaskByFlags(arguments[0]);
  RefilterResult result;
  result.database = task.database;
  result.status = Run(task, &result);
  if (absl::GetFlag(FLAGS_json)) {
    PrintRefilterJson(result);
  } else if (result.status.ok()) {
    PrintRefilterText(result);
  }
  if (!result.status.ok()) return result.status;
  for (const RefilteredFamily& family : result.families) {
    if (!family.report.left.empty()) return kExitFound;
  }
  return kExitFine;
}

}  // namespace

const Command kRefilterCommand = {
    "refilter",
    "PATH [--filter_policy=POLICY] [--yes] [FLAGS]",
    "new filters for the tables of a closed database",
    R"(Gives new filters to the tables of the RocksDB database at PATH whose filter is
not the requested one: RocksDB compacts each of them onto its own level. The
database must not be open; a program that has it open calls oneline::Refilter
instead.

Without --yes it changes nothing, and prints the tables to rewrite, and the
memory of filters before and after.

    --filter_policy=POLICY as in an OPTIONS file: oneline:10,
                          {id=oneline;fp_rate=0.01}, bloomfilter:10:false,
                          ribbonfilter:10, or nullptr for no filters; without
                          this flag, the policy in the OPTIONS file
    --column_family=NAMES only these column families, separated by commas
    --all                 all tables, also those with the requested filter
    --keep_old=DIRECTORY  first keeps the database there as it is, by hard
                          links in the same file system
    --db_paths=DIRECTORIES all directories of tables, in the order of the
                          program's db_paths, the database's own too
    --rate=SIZE           bytes of tables to rewrite per second, such as 20MB

The OPTIONS file stays as it is, and so do the options of later openings. The
command refuses a database that needs something that this program does not have,
such as a merge operator. It leaves tables that have the requested filter alone,
so a second run continues one that was interrupted.

Exit codes: 0 done, or it could be done; 1 done, except for tables that the
output names; 2 refused, interrupted or failed.

Examples:

    oneline refilter db --filter_policy=oneline:10
    oneline refilter db --filter_policy=oneline:10 --yes --jobs=4
)",
    {"filter_policy", "column_family", "all", "yes", "keep_old", "db_paths",
     "jobs", "rate", "json"},
    1,
    1,
    RunRefilter};

}  // namespace oneline
