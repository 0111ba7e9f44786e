// Measures databases that differ in their filters, by plans (plans.h), and
// prints results for bench/report/figures.awk:
//
//   bazel-bin/bench/databases/database_bench --only="databases paths"
//       --paths="$(bench/keys/debian_paths.sh)"
//
// Ends with an error if an answer is wrong, a filter was not used, or databases
// that are compared differ in more than the filter.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "bench/databases/plans.h"
#include "bench/measure/measuring_program.h"

ABSL_FLAG(
    std::string, paths, "",
    "file of lines `path <tab> package`, sorted by path, as "
    "bench/keys/debian_paths.sh makes it; without it the plan with paths is "
    "left out");
ABSL_FLAG(std::string, keep, "",
          "directory of the plan 'large', which goes on there where it was "
          "stopped; without it that plan is left out");
ABSL_FLAG(double, scale, 1,
          "factor for the numbers of records and lookups, 0.001 to 10; with 1 "
          "there are at most 4 million records, and 25 million in 'large'");
ABSL_FLAG(size_t, rounds, 7, "of each measurement, odd, 1 to 99");
ABSL_FLAG(
    std::string, only, "",
    "only the plans whose names begin so; if there are none, an error lists "
    "all names");

namespace oneline {
namespace {

std::vector<Plan> AllPlans() {
  std::vector<Plan> all = ComparisonPlans();
  all.push_back(BudgetPlan());
  all.push_back(KindsPlan());
  all.push_back(MemoryPlan());
  all.push_back(LevelPlan());
  all.push_back(LargePlan());
  return all;
}

void Run(const std::string& directory) {
  Progress progress(stderr);
  Effort effort;
  effort.scale = absl::GetFlag(FLAGS_scale);
  effort.rounds = absl::GetFlag(FLAGS_rounds);
  effort.directory = directory;
  effort.progress = &progress;
  effort.keep = absl::GetFlag(FLAGS_keep);
  if (const std::string file = absl::GetFlag(FLAGS_paths); !file.empty()) {
    effort.paths = std::make_shared<const PathList>(file);
  }
  for (const Plan& plan : AllPlans()) {
    if (!absl::StartsWith(plan.name, absl::GetFlag(FLAGS_only))) continue;
    plan.run(effort);
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      std::filesystem::remove_all(entry.path());
    }
  }
}

// Returns what is wrong with the flags; empty if nothing is.
std::string FlagError() {
  const double scale = absl::GetFlag(FLAGS_scale);
  if (!(scale >= 0.001 && scale <= 10)) return "--scale must be 0.001 to 10";
  const size_t rounds = absl::GetFlag(FLAGS_rounds);
  if (rounds > 99 || rounds % 2 == 0) return "--rounds must be odd, 1 to 99";
  const std::string only = absl::GetFlag(FLAGS_only);
  std::string names;
  for (const Plan& plan : AllPlans()) {
    if (absl::StartsWith(plan.name, only)) return "";
    absl::StrAppend(&names, "\n  ", plan.name);
  }
  return absl::StrCat("--only=", only, " begins none of the plans:", names);
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures databases that differ in their filters.", oneline::FlagError,
       oneline::Run},
      argc, argv);
}
