// The command `oneline refilter`: new filters for the tables of a database,
// without compaction.

#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/command/stop_signals.h"
#include "tools/refilter/kept_state.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/report.h"
#include "tools/refilter/run.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

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
  if (const auto memory = absl::GetFlag(FLAGS_memory)) {
    task.memory = memory->bytes;
  }
  task.column_families = absl::GetFlag(FLAGS_column_family);
  task.jobs = absl::GetFlag(FLAGS_jobs);
  return task;
}

absl::Status CarryOut(const Disk& disk, const RefilterPlan& plan,
                      RefilterReport* report) {
  if (!plan.refusals.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("refused, and nothing is changed: ", plan.refusals[0]));
  }
  const std::string keep = WithoutSlash(absl::GetFlag(FLAGS_keep_old));
  if (!plan.tables.empty() && !keep.empty()) {
    const absl::Status kept = KeepState(disk, report->database, plan, keep);
    if (!kept.ok()) return kept;
    report->kept = keep;
  }
  const sigset_t while_waiting = CatchStopSignals();
  RunOptions options;
  options.jobs = absl::GetFlag(FLAGS_jobs);
  options.may_go_on = [&] {
    // Another thread may have taken the signal.
    return StoppedBy() == 0 ? TakePendingSignal(while_waiting)
                            : absl::CancelledError("interrupted");
  };
  Progress progress(stderr);
  const absl::Status run = RunPlan(disk, report->database, plan, options,
                                   &progress, &report->result);
  if (!run.ok()) {
    return absl::Status(
        run.code(),
        absl::StrCat(run.message(), "; ", report->result.tables, " of ",
                     plan.tables.size(),
                     " tables have their new filters, and a second run goes "
                     "on"));
  }
  report->done = true;
  return absl::OkStatus();
}

absl::StatusOr<int> RunRefilter(const std::vector<std::string>& arguments) {
  const RefilterTask task = TaskByFlags(arguments[0]);
  const bool yes = absl::GetFlag(FLAGS_yes);
  const Disk disk(rocksdb::FileSystem::Default());
  RefilterReport report;
  report.database = task.database;
  // Before LOCK would be created in a directory that is no database.
  const absl::StatusOr<CurrentManifest> current =
      ReadCurrent(disk, task.database);
  if (!current.ok()) return current.status();
  const absl::StatusOr<Disk::Lock> lock =
      disk.TakeLock(task.database + "/LOCK");
  if (!lock.ok() && yes) {
    return absl::FailedPreconditionError(absl::StrCat(
        "a process has the database open: ", lock.status().message()));
  }
  absl::StatusOr<RefilterPlan> plan = MakePlan(disk, task);
  if (!plan.ok()) return plan.status();
  if (!lock.ok()) {
    plan->refusals.push_back(absl::StrCat("a process has the database open: ",
                                          lock.status().message()));
  }
  report.remarks = RemarksOn(*plan);
  if (yes) {
    const absl::Status done = CarryOut(disk, *plan, &report);
    if (!done.ok()) return done;
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintReportJson(*plan, report);
  } else {
    PrintReportText(*plan, report);
  }
  return plan->refusals.empty() ? kExitFine : kExitFound;
}

}  // namespace

const Command kRefilterCommand = {
    "refilter",
    "PATH [--filter_policy=POLICY] [--yes] [FLAGS]",
    "new filters for the tables of a closed database, without compaction",
    R"(Gives every table of the RocksDB database at PATH another filter. The data
are copied as they are; only the end of each table is written anew, and then the
MANIFEST, which lists the tables. The database must not be open.

Without --yes nothing is changed: prints the tables to rewrite, the memory of
filters and the expected wasted reads by level, now and then, and what is
refused and why.

    --filter_policy=TEXT  as in an OPTIONS file: oneline:10,
                          {id=oneline;fp_rate=0.01}, bloomfilter:10:false,
                          ribbonfilter:10, or nullptr for no filters; without
                          it, that of the database's OPTIONS file
    --memory=BYTES        bits of our filters by level, so that all filters
                          take so much and waste the fewest reads
    --column_family=NAMES only these column families, separated by commas
    --keep_old=DIRECTORY  keeps the database as it was there, by hard links, and
                          prints how to go back

Works in batches, and checks every new table before it counts: its blocks, and
each of its keys in its filter. Interrupted or out of space, it deletes what it
had begun; the tables that were done have their new filters, and a second run
goes on. Tables that have what is asked for are left alone.

Exit codes: 0 done, or it could be done; 1 it is refused, which the output says;
2 failed, also if a run with --yes is refused.

Examples:

    oneline refilter db --filter_policy=oneline:10
    oneline refilter db --filter_policy=oneline:10 --yes --jobs=4
)",
    {"filter_policy", "memory", "column_family", "yes", "keep_old", "db_paths",
     "jobs", "json"},
    1,
    1,
    RunRefilter};

}  // namespace oneline
