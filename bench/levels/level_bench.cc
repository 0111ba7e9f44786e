// `make levels`: measures what allocation=monkey gains. Compares a database
// under level compaction, whose policy allocates its bits over the levels, with
// a copy that has the same tables, all with the average bits per key of the
// first. Prints the false positives of lookups of absent keys in both, as the
// model expects them and as RocksDB counts them.
//
//   bazel-bin/bench/levels/level_bench [--keys=10000000] [--bits_per_key=10]
//   ...
//
// Ends with an error if an absent key is found, a filter was not used, or the
// databases have different tables, or filters whose size differs by more than
// 1 %.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/levels/level_database.h"
#include "bench/measure/measuring_program.h"
#include "oneline/filter_options.h"
#include "tools/text/progress.h"

ABSL_FLAG(uint64_t, keys, 10000000, "keys in the database");
ABSL_FLAG(uint64_t, lookups, 1000000, "lookups of absent keys");
ABSL_FLAG(double, bits_per_key, 10, "of the filter policy, 1 to 100");
ABSL_FLAG(double, size_ratio, 4,
          "of the size of a level to that of the level above it, 2 to 100");

namespace oneline {
namespace {

constexpr uint64_t kSeed = 1;  // of all filters, so that runs are the same

struct Measured {
  std::map<int, LevelFilters> levels;
  LevelFalsePositives false_positives;
  LevelFilters all;
  uint64_t all_false_positives = 0;
};

double PerMillion(uint64_t count) {
  return 1e6 * static_cast<double>(count) /
         static_cast<double>(absl::GetFlag(FLAGS_lookups));
}

absl::StatusOr<LevelFilters> AllTables(const LevelDatabase& database) {
  const auto levels = database.Levels();
  if (!levels.ok()) return levels.status();
  LevelFilters all;
  for (const auto& [level, tables] : *levels) {
    all.tables += tables.tables;
    all.keys += tables.keys;
    all.filter_bytes += tables.filter_bytes;
    all.expected += tables.expected;
  }
  return all;
}

absl::StatusOr<Measured> Measure(LevelDatabase* database, Progress* progress) {
  Measured measured;
  auto counted = database->LookUpAbsent(absl::GetFlag(FLAGS_keys),
                                        absl::GetFlag(FLAGS_lookups), progress);
  if (!counted.ok()) return counted.status();
  measured.false_positives = *std::move(counted);
  auto levels = database->Levels();
  if (!levels.ok()) return levels.status();
  measured.levels = *std::move(levels);
  const auto all = AllTables(*database);
  if (!all.ok()) return all.status();
  measured.all = *all;
  for (const auto& [level, count] : measured.false_positives) {
    measured.all_false_positives += count;
  }
  return measured;
}

absl::Status CheckAlike(const LevelDatabase& a, const LevelDatabase& b,
                        const Measured& of_a, const Measured& of_b) {
  if (a.GetShape() != b.GetShape()) {
    return absl::InternalError(
        "the tables of the databases differ: the comparison would not be fair");
  }
  const double ratio = static_cast<double>(of_a.all.filter_bytes) /
                       static_cast<double>(of_b.all.filter_bytes);
  if (std::abs(ratio - 1) > 0.01) {
    return absl::InternalError(absl::StrCat(
        "the filters take ", of_a.all.filter_bytes, " and ",
        of_b.all.filter_bytes, " bytes: the comparison would not be fair"));
  }
  return absl::OkStatus();
}

void PrintRow(const std::string& name, const LevelFilters& uniform,
              uint64_t of_uniform, const LevelFilters& monkey,
              uint64_t of_monkey) {
  absl::PrintF("%-5s %7d %10d   %8.3f %9.1f %9.1f   %8.3f %9.1f %9.1f\n", name,
               uniform.tables, uniform.keys, uniform.bits_per_key(),
               1e6 * uniform.expected, PerMillion(of_uniform),
               monkey.bits_per_key(), 1e6 * monkey.expected,
               PerMillion(of_monkey));
}

void Print(const Measured& uniform, const Measured& monkey) {
  absl::PrintF(
      "%d lookups of absent keys; false positives per million, as the model\n"
      "expects them and as RocksDB counted them\n\n",
      absl::GetFlag(FLAGS_lookups));
  absl::PrintF("%-5s %7s %10s   %-28s   %s\n", "", "", "", "allocation=uniform",
               "allocation=monkey");
  absl::PrintF("%-5s %7s %10s   %8s %9s %9s   %8s %9s %9s\n", "level", "tables",
               "keys", "bits/key", "expected", "measured", "bits/key",
               "expected", "measured");
  for (const auto& [level, tables] : uniform.levels) {
    const auto count = [level = level](const Measured& measured) {
      const auto found = measured.false_positives.find(level);
      return found == measured.false_positives.end() ? 0 : found->second;
    };
    PrintRow(absl::StrCat("L", level), tables, count(uniform),
             monkey.levels.at(level), count(monkey));
  }
  PrintRow("all", uniform.all, uniform.all_false_positives, monkey.all,
           monkey.all_false_positives);
  absl::PrintF("\nmemory of filters: %d and %d bytes\n",
               uniform.all.filter_bytes, monkey.all.filter_bytes);
  absl::PrintF("times fewer false positives: %.2f expected, %.2f measured\n",
               uniform.all.expected / monkey.all.expected,
               static_cast<double>(uniform.all_false_positives) /
                   static_cast<double>(monkey.all_false_positives));
}

absl::Status Run(const std::string& directory) {
  Progress progress(stderr);
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  FilterOptions filter;
  filter.hash_seed = kSeed;
  filter.bits_per_key = absl::GetFlag(FLAGS_bits_per_key);
  filter.allocation = Allocation::kMonkey;
  const double size_ratio = absl::GetFlag(FLAGS_size_ratio);
  LevelDatabase monkey(directory + "/monkey", filter, {{size_ratio}});
  progress.Begin("loading and compacting", keys);
  absl::Status status = monkey.Load(keys, &progress);
  if (!status.ok()) return status;
  progress.End();

  // The copy gets the bits per key that these tables really have.
  const auto all = AllTables(monkey);
  if (!all.ok()) return all.status();
  filter.allocation = Allocation::kUniform;
  filter.bits_per_key = all->bits_per_key();
  LevelDatabase uniform(directory + "/uniform", filter, {{size_ratio}});
  progress.Begin("copying with uniform filters", keys);
  status = monkey.CopyTo(&uniform, &progress);
  if (!status.ok()) return status;

  progress.Begin("looking up absent keys", 2 * absl::GetFlag(FLAGS_lookups));
  const auto of_uniform = Measure(&uniform, &progress);
  if (!of_uniform.ok()) return of_uniform.status();
  const auto of_monkey = Measure(&monkey, &progress);
  if (!of_monkey.ok()) return of_monkey.status();
  progress.End();
  status = CheckAlike(uniform, monkey, *of_uniform, *of_monkey);
  if (status.ok()) Print(*of_uniform, *of_monkey);
  return status;
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  const double bits = absl::GetFlag(FLAGS_bits_per_key);
  if (!(bits >= 1 && bits <= 100)) return "--bits_per_key must be 1 to 100";
  const double ratio = absl::GetFlag(FLAGS_size_ratio);
  if (!(ratio >= 2 && ratio <= 100)) return "--size_ratio must be 2 to 100";
  const uint64_t lookups = absl::GetFlag(FLAGS_lookups);
  if (lookups < 1000 || lookups > 1000000000) {
    return "--lookups must be 1000 to 1000000000";
  }
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  if (keys < 100000 || keys > 1000000000) {
    return "--keys must be 100000 to 1000000000";
  }
  return "";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Compares allocations of filter bits over the levels of a database.",
       "oneline-levels", oneline::FlagError, oneline::Run},
      argc, argv);
}
