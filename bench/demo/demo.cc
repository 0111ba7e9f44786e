// The demo: loads the file paths of the Debian archive into a RocksDB database,
// makes copies with other filters, so that three differ only in the filter
// (RocksDB's Bloom filter, none, ours of the same size), and measures lookups
// of paths that exist and of paths that do not.
//
//   bazel-bin/bench/demo/demo --paths="$(bench/keys/debian_paths.sh)"
//
// Ends with an error if an answer is wrong, a filter was not used, or the
// databases differ in more than the filter.

#include <rocksdb/version.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/databases/comparison.h"
#include "bench/keys/data_set.h"
#include "bench/keys/path_list.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/spread.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"

ABSL_FLAG(std::string, paths, "",
          "file of lines `path <tab> package`, sorted by path, as "
          "bench/keys/debian_paths.sh makes it");
ABSL_FLAG(uint64_t, absent, 900000,
          "maximum of lookups of paths that do not exist");
ABSL_FLAG(uint64_t, present, 360000, "lookups of paths that exist");

namespace oneline {
namespace {

// Fixed, so that all counts are the same in every run on the same list.
constexpr uint64_t kSeed = 1;

// Odd, for the median.
constexpr size_t kRounds = 25;
constexpr size_t kMinLookups = 1000;

// RocksDB's Bloom filter gets the memory that bits by level give ours in the
// tree of Debian's paths.
std::vector<Filter> Filters() {
  return {{"RocksDB's Bloom", "bloomfilter:9.669:false"},
          {"no filter", "nullptr"},
          {"oneline", "{id=oneline;bits_per_key=10;hash_seed=1}"}};
}

// "6,147,486  99.03%"
std::string CountAndShare(uint64_t part, uint64_t whole, int decimals) {
  return absl::StrFormat(
      "%s %*.*f%%", WithCommas(part), decimals + 4, decimals,
      100 * static_cast<double>(part) / static_cast<double>(whole));
}

void PrintRow(const Database& database, const Measured& measured) {
  const LookupCounts& counts = measured.counts;
  std::string bits, skipped, false_positives;
  if (database.has_filter()) {
    bits = absl::StrFormat("%.3f", database.bits_per_key());
    skipped = CountAndShare(counts.skipped, counts.checks, 2);
    // The rate is among the tables that do not have the path.
    false_positives = CountAndShare(counts.false_positives(),
                                    counts.checks - counts.true_positives, 3);
  }
  const auto micros = [&](double share) {
    return Quantile(share, measured.wall_micros);
  };
  absl::PrintF("%-15s %8s %18s %16s %11s %9.2f  %.2f-%.2f\n", database.name(),
               bits, skipped, false_positives, WithCommas(counts.data_blocks),
               micros(0.5), micros(0.25), micros(0.75));
}

void PrintTable(const std::string& what, const Databases& databases,
                const std::vector<Measured>& measured) {
  const uint64_t num_lookups = measured.back().lookups;
  const uint64_t met = measured.back().counts.checks;
  absl::PrintF("\n%s lookups of %s meet %s tables, %.2f each\n",
               WithCommas(num_lookups), what, WithCommas(met),
               static_cast<double>(met) / static_cast<double>(num_lookups));
  absl::PrintF("%-15s %8s %18s %16s %11s %9s  %s\n", "", "bits/key",
               "tables skipped", "false positives", "block reads", "us/lookup",
               "quartiles");
  for (size_t i = 0; i < databases.size(); ++i) {
    PrintRow(*databases[i], measured[i]);
  }
}

void PrintSetting(const PathList& list, const Database& database) {
  std::map<int, int> tables_of_level;
  for (const TableShape& table : database.tables()) {
    ++tables_of_level[std::get<0>(table)];
  }
  std::string tree;
  for (const auto& [level, tables] : tables_of_level) {
    absl::StrAppend(&tree, tree.empty() ? "" : ", ", tables, " in L", level);
  }
  absl::PrintF("%s paths -> packages, from %s\n", WithCommas(list.size()),
               absl::GetFlag(FLAGS_paths));
  absl::PrintF("Tables of each database: %s\n", tree);
}

void PrintFootnote() {
  absl::PrintF(
      "\nus/lookup: median of %d rounds, one thread, blocks read from the "
      "kernel's page cache.\n"
      "RocksDB %s as packaged: Debian 12's has assertions on and AVX2 off, "
      "which makes ours look better.\n",
      kRounds, rocksdb::GetRocksVersionAsString());
}

void Run(const std::string& directory) {
  Progress progress(stderr);
  progress.Begin("reading the list of paths", 2);
  const auto list =
      std::make_shared<const PathList>(absl::GetFlag(FLAGS_paths));
  progress.Advance(1);
  const DataSet data =
      PathDataSet(list, list->size(), absl::GetFlag(FLAGS_absent));
  if (data.absent.size() < kMinLookups) {
    Fail(absl::StrCat(absl::GetFlag(FLAGS_paths), " gives only ",
                      data.absent.size(), " absent paths; at least ",
                      kMinLookups, " are needed"));
  }
  const LoadPlan plan = PlanLoad(TenfoldTree(), list->size(), kSeed);
  progress.Begin("loading a database", plan.entries_written());
  const Databases databases = MakeDatabases(
      directory, Filters(), PlannedOptions(), {}, *list, plan, &progress);
  const Reads reads;  // RocksDB's default cache, a hundredth of the data
  Workload of_absent, of_present;
  of_absent.lookups = Lookups(data, 100, data.absent.size(), kSeed);
  of_present.lookups = Lookups(data, 0, absl::GetFlag(FLAGS_present), kSeed);
  progress.Begin("looking up paths that are absent or present",
                 databases.size() *
                     (of_absent.lookups.size() + of_present.lookups.size()));
  const auto measured =
      Compare(reads, {of_absent, of_present}, kRounds, databases, &progress);
  progress.End();

  PrintSetting(*list, *databases.front());
  PrintTable("paths that do not exist", databases, measured[0]);
  PrintTable("paths that exist", databases, measured[1]);
  PrintFootnote();
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  if (absl::GetFlag(FLAGS_paths).empty()) return "--paths=FILE is missing";
  for (const uint64_t count :
       {absl::GetFlag(FLAGS_absent), absl::GetFlag(FLAGS_present)}) {
    if (count < kMinLookups || count > 1000000000) {
      return absl::StrCat("--absent and --present must be ", kMinLookups,
                          " to 1000000000");
    }
  }
  return "";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Compares filters in RocksDB databases of real file paths.",
       oneline::FlagError, oneline::Run},
      argc, argv);
}
