// `oneline advise`: how many bits per key the filters of a database should
// have, from its own tables, and what that changes.

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/advise/advice.h"
#include "tools/advise/advice_report.h"
#include "tools/advise/options_rewrite.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"
#include "tools/database/options_file.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// What is asked for: one of both, or neither for the memory of today.
struct Target {
  std::optional<double> memory;
  std::optional<double> false_positives;
};

absl::StatusOr<Target> TargetByFlags() {
  Target target;
  if (const auto memory = absl::GetFlag(FLAGS_memory)) {
    target.memory = memory->bytes;
  }
  target.false_positives = absl::GetFlag(FLAGS_fp_rate);
  if (target.memory.has_value() && target.false_positives.has_value()) {
    return absl::InvalidArgumentError(
        "--memory and --fp_rate are both given; must be one of them");
  }
  if (target.false_positives.has_value() &&
      !(*target.false_positives > 0 && *target.false_positives <= 1000)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--fp_rate=", *target.false_positives,
                     ": must be more than 0 and at most 1000 wasted reads for"
                     " each lookup"));
  }
  return target;
}

// The trees of the column families that were asked for and have keys.
absl::StatusOr<std::vector<FamilyTree>> TreesOf(
    const DatabaseSummary& database) {
  std::optional<OptionsFile> options;
  if (!database.options_file.empty()) {
    absl::StatusOr<OptionsFile> loaded =
        OptionsFile::Load(database.options_file);
    if (!loaded.ok()) return loaded.status();
    options = *std::move(loaded);
  }
  const std::string wanted = absl::GetFlag(FLAGS_column_family);
  std::vector<FamilyTree> trees;
  bool found = false;
  for (const ColumnFamilySummary& family : database.column_families) {
    if (!wanted.empty() && family.name != wanted) continue;
    found = true;
    // Tables without an OPTIONS file: their filters are taken to be used.
    std::string text = "oneline";
    if (options.has_value()) {
      text = options->Get(kTableSection, family.name, "filter_policy")
                 .value_or("nullptr");
    }
    absl::StatusOr<FamilyTree> tree =
        FamilyTree::Of(family, PolicyInOptions(text));
    if (!tree.ok()) return tree.status();
    if (tree->keys() > 0) trees.push_back(*std::move(tree));
  }
  if (!found) {
    return absl::NotFoundError(
        absl::StrCat(database.path, ": has no column family '", wanted, "'"));
  }
  if (trees.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(database.path, ": has no tables with keys to advise on"));
  }
  return trees;
}

// Each column family gets memory by its keys: nobody tells how many lookups
// each has.
std::vector<FamilyAdvice> WithMemory(const std::vector<FamilyTree>& trees,
                                     double bytes) {
  double keys = 0;
  for (const FamilyTree& tree : trees) keys += static_cast<double>(tree.keys());
  std::vector<FamilyAdvice> families;
  for (const FamilyTree& tree : trees) {
    families.push_back(
        tree.WithMemory(bytes * static_cast<double>(tree.keys()) / keys));
  }
  return families;
}

std::vector<FamilyAdvice> WithTodaysReads(
    const std::vector<FamilyTree>& trees) {
  std::vector<FamilyAdvice> families;
  for (const FamilyTree& tree : trees) {
    families.push_back(
        tree.WithFalsePositives(tree.now().now().false_positives));
  }
  return families;
}

absl::StatusOr<std::vector<FamilyAdvice>> Propose(
    const std::vector<FamilyTree>& trees, const Target& target,
    const std::string& path) {
  std::vector<FamilyAdvice> now;
  for (const FamilyTree& tree : trees) now.push_back(tree.now());
  const double todays_memory = TotalsOf(now).now.bytes;
  if (!target.false_positives.has_value()) {
    const double bytes = target.memory.value_or(todays_memory);
    if (bytes == 0 && !target.memory.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          path,
          ": has no filters in use today; say how large they may be, by"
          " --memory or --fp_rate"));
    }
    return WithMemory(trees, bytes);
  }
  std::vector<FamilyAdvice> families;
  for (const FamilyTree& tree : trees) {
    families.push_back(tree.WithFalsePositives(*target.false_positives));
  }
  return families;
}

// Whether a process has the database open, by the lock that RocksDB takes.
// Nothing is locked or changed by asking.
bool IsOpen(const std::string& path) {
  const int file = open((path + "/LOCK").c_str(), O_RDONLY);
  if (file < 0) return false;
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool asked = fcntl(file, F_GETLK, &lock) == 0;
  close(file);
  return asked && lock.l_type != F_UNLCK;
}

void Remark(const Target& target, Advice* advice) {
  const Totals totals = TotalsOf(advice->families);
  if (totals.then.bytes < 0.995 * totals.now.bytes &&
      totals.then.false_positives <= totals.now.false_positives) {
    advice->remarks.push_back(
        absl::StrCat("Fewer bits would do: the proposal saves ",
                     PercentText(1 - totals.then.bytes / totals.now.bytes),
                     " of the memory."));
  }
  for (const FamilyAdvice& family : advice->families) {
    if (target.false_positives.has_value() &&
        family.then().false_positives > 1.001 * *target.false_positives) {
      advice->remarks.push_back(absl::StrFormat(
          "Column family \"%s\" can't have %g wasted reads: the most bits "
          "give %.3g.",
          family.name, *target.false_positives, family.then().false_positives));
    }
  }
  if (target.memory.has_value() && totals.then.bytes == 0) {
    advice->remarks.push_back(
        absl::StrCat(BytesText(*target.memory),
                     " are not enough for any filter of a bit per key."));
  }
  if (!advice->statistics.has_value()) return;
  const FilterStatistics& counted = *advice->statistics;
  const double asked =
      static_cast<double>(counted.absent() + counted.true_positives);
  const double absent = static_cast<double>(counted.absent()) / asked;
  if (absent < 0.05) {
    advice->remarks.push_back(absl::StrCat(
        "Only ", PercentText(absent),
        " of the filters that were asked were asked for a key that their table "
        "does not have. Filters save little here: fewer bits would do, or none "
        "on the last level (optimize_filters_for_hits=true)."));
  }
}

absl::Status Write(const std::string& file, Advice* advice) {
  std::map<std::string, FilterOptions> policies;
  for (const FamilyAdvice& family : advice->families) {
    policies[family.name] = family.proposal;
  }
  const absl::StatusOr<std::string> backup = RewriteOptionsFile(file, policies);
  if (!backup.ok()) return backup.status();
  advice->written = file;
  advice->backup = *backup;
  if (IsOpen(advice->path)) {
    advice->remarks.push_back(
        "A process has the database open: it goes on with the options that it "
        "has, and writes the next OPTIONS file from them. Open it anew with "
        "this file.");
  }
  return absl::OkStatus();
}

absl::StatusOr<int> RunAdvise(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Target> target = TargetByFlags();
  if (!target.ok()) return target.status();
  const absl::StatusOr<DatabaseSummary> database = SummarizeDatabase(
      arguments[0], absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs));
  if (!database.ok()) return database.status();
  Advice advice;
  advice.path = database->path;
  advice.options_file = database->options_file;
  absl::StatusOr<std::vector<FamilyTree>> trees = TreesOf(*database);
  if (!trees.ok()) return trees.status();
  advice.trees = *std::move(trees);
  absl::StatusOr<std::vector<FamilyAdvice>> families =
      Propose(advice.trees, *target, advice.path);
  if (!families.ok()) return families.status();
  advice.families = *std::move(families);
  const double todays_memory = TotalsOf(advice.families).now.bytes;
  if (todays_memory > 0) {
    advice.same_memory = WithMemory(advice.trees, todays_memory);
    advice.same_reads = WithTodaysReads(advice.trees);
  }
  advice.statistics = ReadLogs(advice.path).statistics;
  Remark(*target, &advice);
  const std::string plot = absl::GetFlag(FLAGS_svg);
  if (!plot.empty()) {
    const absl::Status status = PlotAdvice(advice, plot);
    if (!status.ok()) return status;
  }
  const std::string file = absl::GetFlag(FLAGS_write);
  if (!file.empty()) {
    const absl::Status status = Write(file, &advice);
    if (!status.ok()) return status;
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintAdviceJson(advice);
  } else {
    PrintAdviceText(advice);
  }
  return kExitFine;
}

}  // namespace

const Command kAdviseCommand = {
    "advise",
    "PATH [--memory BYTES | --fp_rate READS] [--column_family NAME]\n"
    "         [--svg FILE] [--write OPTIONS-FILE] [--db_paths DIRECTORIES]\n"
    "         [--jobs N] [--json]",
    "how many bits per key each level should have",
    "Reads the tables of the database at PATH, and says how many bits per key\n"
    "the filters of each level should have: so that all filters take the "
    "memory\n"
    "given, or so that a lookup of an absent key wastes as many reads as "
    "given\n"
    "(--fp_rate: the sum over all sorted runs that it visits, which may be "
    "more\n"
    "than 1), or with the memory that they take today. Per level: bits per "
    "key,\n"
    "memory and wasted reads, today's by the filters themselves, the "
    "proposal's\n"
    "by their models. If the LOG has statistics, what the filters really did.\n"
    "\n"
    "Changes nothing but with --write: then the lines filter_policy= of that\n"
    "OPTIONS file are what is proposed, all other bytes as they were, after\n"
    "RocksDB has loaded the result; the old file is kept beside it, as\n"
    "before-<time>-<its name>. Exit codes: 0 done, 2 it could not be.\n"
    "\n"
    "    oneline advise db --memory=512MiB --svg=advice.svg\n",
    {"memory", "fp_rate", "column_family", "svg", "write", "db_paths", "jobs",
     "json"},
    1,
    1,
    RunAdvise};

}  // namespace oneline
