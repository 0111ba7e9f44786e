// `make urls`: compares ways to remember URLs (url_sets.h).
//
//   bazel run //bench/urls:url_sets_bench -- --urls=5000000
//
// Candidates take turns in each round; times are medians over the rounds, with
// minimum and maximum. Ends with an error if a candidate has a false negative.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/str_format.h"
#include "bench/urls/url_sets.h"
#include "tools/text/progress.h"

ABSL_FLAG(uint64_t, urls, 2000000,
          "how many URLs are added, and as many others looked up");
ABSL_FLAG(int, rounds, 5, "how often everything is measured");

namespace oneline {
namespace {

// "123 (120-130)": median, minimum and maximum.
std::string Spread(std::vector<double> ns) {
  std::sort(ns.begin(), ns.end());
  return absl::StrFormat("%.0f (%.0f-%.0f)", ns[ns.size() / 2], ns.front(),
                         ns.back());
}

using Rounds = std::vector<UrlSetFigures>;

void Print(const char* name, const Rounds& rounds) {
  const auto times = [&](double UrlSetFigures::*time) {
    std::vector<double> ns;
    for (const UrlSetFigures& figures : rounds) ns.push_back(figures.*time);
    return Spread(ns);
  };
  absl::PrintF(
      "%-26s%9.2f%17s%17s%17s%10.3f%%\n", name, rounds[0].bytes_per_url,
      times(&UrlSetFigures::add_ns), times(&UrlSetFigures::present_ns),
      times(&UrlSetFigures::absent_ns), 100 * rounds[0].false_positives);
}

int Run() {
  const uint64_t num_urls = absl::GetFlag(FLAGS_urls);
  const int num_rounds = absl::GetFlag(FLAGS_rounds);
  if (num_urls < 1 || num_rounds < 1) {
    std::fprintf(stderr, "error: --urls and --rounds must be 1 or more\n");
    return 1;
  }
  const std::vector<std::string> members = MakeUrls(num_urls, 1);
  const std::vector<std::string> absent = MakeUrls(num_urls, 2);
  const std::vector<UrlSetCandidate>& candidates = UrlSetCandidates();
  std::vector<Rounds> measured(candidates.size());
  Progress progress(stderr);
  progress.Begin("measuring", candidates.size() * num_rounds);
  for (int round = 0; round < num_rounds; ++round) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      measured[i].push_back(MeasureUrlSet(candidates[i], members, absent));
      progress.Advance(1);
      if (!measured[i].back().has_false_negative) continue;
      progress.End();
      std::fprintf(stderr, "error: %s lost a URL\n", candidates[i].name);
      return 1;
    }
  }
  progress.End();
  absl::PrintF(
      "%d URLs of %d bytes; nanoseconds: median of %d rounds (min-max)\n\n"
      "%-26s%9s%17s%17s%17s%11s\n",
      num_urls, members.back().size(), num_rounds, "", "bytes/URL", "add",
      "lookup, seen", "lookup, new", "new lost");
  for (size_t i = 0; i < candidates.size(); ++i) {
    Print(candidates[i].name, measured[i]);
  }
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("Compares ways to remember URLs.");
  absl::ParseCommandLine(argc, argv);
  return oneline::Run();
}
