// False-positive rates of filters alone by their bits per key, measured and in
// theory, beside the lower bounds for any filter. Prints a line of column
// names, and lines with these columns, separated by tabs:
//
//   what              measured, theory or limit
//   filter
//   bits_per_key
//   fp_rate
//   standard_error    of a measured fp_rate, otherwise 0
//
// Looks up the present keys of every filter first; a lost key is an error.

#include <rocksdb/filter_policy.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/filters/filter_candidates.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/random_key.h"
#include "filter_policy/options/kind_traits.h"
#include "oneline/filter_options.h"
#include "table/block/kind_choice.h"
#include "tools/models/kind_model.h"
#include "tools/text/progress.h"

ABSL_FLAG(uint64_t, lookups, 10000000,
          "maximum of lookups of absent keys in each filter; 100,000 false "
          "positives end them earlier");
ABSL_FLAG(uint64_t, keys, 800000, "keys of each filter, 1000 to 100000000");

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr double kMeasuredBits[] = {4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20};
// Of the curves, in bits per key.
constexpr double kMinBits = 3;
constexpr double kMaxBits = 20;
constexpr double kStep = 0.25;
constexpr uint64_t kMaxFalsePositives = 100 * 1000;

// The bound for any filter: 2^-bits_per_key (Carter, Floyd, Gill, Markowsky,
// Wegman, "Exact and Approximate Membership Testers", STOC 1978).
double FpRateLimit(double bits_per_key) { return std::exp2(-bits_per_key); }

// The bound for filters of many lines of 512 bits, of which a lookup reads one.
// The N keys of a line share its bits, and N is Poisson(512 / bits_per_key), so
// the rate is E[2^(-512 / N)]; an empty line has no false positives. (Below 3
// bits per key this is lower than FpRateLimit, because it leaves out the bits
// that a filter needs to store the number of keys of each line.)
double OneLineFpRateLimit(double bits_per_key) {
  constexpr double kLineBits = 512;
  const double mean = kLineBits / bits_per_key;
  double rate = 0;
  // 40 standard deviations above the mean; further terms are negligible.
  const int max_keys = static_cast<int>(mean + 40 * std::sqrt(mean) + 40);
  for (int n = 1; n <= max_keys; ++n) {
    rate += Poisson(n, mean) * std::exp2(-kLineBits / n);
  }
  return rate;
}

void PrintRow(const char* what, const std::string& filter, double bits,
              double rate, double error = 0) {
  absl::PrintF("%s\t%s\t%g\t%g\t%g\n", what, filter, bits, rate, error);
}

void PrintCurve(const char* what, const std::string& filter,
                const std::function<double(double)>& rate) {
  for (double bits = kMinBits; bits <= kMaxBits; bits += kStep) {
    PrintRow(what, filter, bits, rate(bits));
  }
}

// Prints the measured row. False if the filter loses a present key.
bool Measure(const Candidate& candidate) {
  const uint64_t num_keys = absl::GetFlag(FLAGS_keys);
  const auto builder = NewBuilder(*candidate.policy);
  for (uint64_t i = 0; i < num_keys; ++i) builder->AddKey(Key(2 * i));
  std::unique_ptr<const char[]> owner;
  const Slice block = builder->Finish(&owner);
  const std::unique_ptr<rocksdb::FilterBitsReader> reader(
      candidate.open(block));
  for (uint64_t i = 0; i < num_keys; ++i) {
    if (!reader->MayMatch(Key(2 * i))) return false;
  }
  const uint64_t max_lookups = absl::GetFlag(FLAGS_lookups);
  uint64_t lookups = 0, matches = 0;
  while (lookups < max_lookups && matches < kMaxFalsePositives) {
    matches += reader->MayMatch(Key(2 * lookups++ + 1));
  }
  const double n = static_cast<double>(lookups);
  const double rate = static_cast<double>(matches) / n;
  PrintRow(
      "measured", candidate.block_name,
      8 * static_cast<double>(block.size()) / static_cast<double>(num_keys),
      rate, std::sqrt(rate * (1 - rate) / n));
  return true;
}

void Run() {
  absl::PrintF("what\tfilter\tbits_per_key\tfp_rate\tstandard_error\n");
  PrintCurve("limit", "any filter", &FpRateLimit);
  PrintCurve("limit", "one line", &OneLineFpRateLimit);
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    const KindTraits& row = *FindKind(kind);
    PrintCurve("theory", absl::StrCat("oneline_", row.name),
               [&](double bits) { return LargeFilterFpRate(row, bits); });
  }
  Progress progress(stderr);
  progress.Begin("measuring false-positive rates", std::size(kMeasuredBits));
  for (const double bits : kMeasuredBits) {
    std::set<std::string> measured;
    for (const Candidate& candidate : CandidatesAt(bits)) {
      if (!candidate.usual || !measured.insert(candidate.block_name).second) {
        continue;
      }
      if (!Measure(candidate)) {
        Fail(absl::StrCat(candidate.name, " at ", bits,
                          " bits per key loses a key that was added"));
      }
    }
    progress.Advance(1);
  }
  progress.End();
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures filters' false-positive rates.",
       [] {
         const uint64_t keys = absl::GetFlag(FLAGS_keys);
         return keys >= 1000 && keys <= 100000000
                    ? ""
                    : "--keys must be 1000 to 100000000";
       },
       [](const std::string&) { oneline::Run(); }},
      argc, argv);
}
