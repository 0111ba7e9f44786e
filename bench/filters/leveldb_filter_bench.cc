// Measures filters for LevelDB alone, without a database. LevelDB has one for
// each 2 KiB of data, so they have few keys. Measures nanoseconds per lookup
// and per key of a build, the false-positive rate beside its theory, and stored
// bits per key, which include the envelope. Compares ours and LevelDB's own of
// the same size, in one process and through the virtual functions by which
// LevelDB calls them. `make measure-leveldb` runs it.
//
// The name of a benchmark is
//   what / keys of the filter / filter
// where "what" is absent, present or build. All times are per key.

#include <benchmark/benchmark.h>
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/random_key.h"
#include "filter_policy/options/kind_traits.h"
#include "oneline/leveldb_filter_policy.h"
#include "tools/models/short_block_model.h"

namespace oneline {
namespace {

using leveldb::FilterPolicy;
using leveldb::Slice;

constexpr int kLevelDBBitsPerKey = 10;
constexpr int kLevelDBProbes = 6;
// Too many for the branch predictor to remember.
constexpr size_t kNumFilters = 2048;

struct Candidate {
  std::string name;
  std::shared_ptr<const FilterPolicy> policy;
  double theory;  // the false-positive rate to expect
};

// The size of LevelDB's own filter at 10 bits per key: at least 8 bytes, and
// one more for the number of probes.
size_t LevelDBFilterBytes(size_t num_keys) {
  return std::max<size_t>((num_keys * kLevelDBBitsPerKey + 7) / 8, 8) + 1;
}

// The rate of independent probes, which LevelDB's are not.
double LevelDBTheory(size_t num_keys) {
  const auto bits = static_cast<double>(8 * (LevelDBFilterBytes(num_keys) - 1));
  const double set =
      1 -
      std::pow(1 - 1 / bits, static_cast<double>(kLevelDBProbes * num_keys));
  return std::pow(set, kLevelDBProbes);
}

std::vector<Candidate> CandidatesFor(size_t num_keys) {
  std::vector<Candidate> candidates = {
      {"leveldb_bloom",
       std::shared_ptr<const FilterPolicy>(
           leveldb::NewBloomFilterPolicy(kLevelDBBitsPerKey)),
       LevelDBTheory(num_keys)}};
  for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
    FilterOptions options;
    options.kind = kind;
    options.bits_per_key = 8.0 *
                           static_cast<double>(LevelDBFilterBytes(num_keys)) /
                           static_cast<double>(num_keys);
    const FilterPolicy* policy = nullptr;
    NewLevelDBFilterPolicy(options, &policy);
    const KindTraits& row = *FindKind(kind);
    candidates.push_back(
        {std::string("oneline_") + row.name,
         std::shared_ptr<const FilterPolicy>(policy),
         ShortBlockFpRate(row, num_keys, *options.bits_per_key)});
  }
  return candidates;
}

// Key i of filter f.
Key PresentKey(size_t num_keys, size_t f, size_t i) {
  return Key(2 * (f * num_keys + i));
}

std::string BuildFilter(const FilterPolicy& policy, size_t num_keys, size_t f) {
  std::vector<Key> keys;
  std::vector<Slice> slices;
  keys.reserve(num_keys);
  for (size_t i = 0; i < num_keys; ++i) {
    keys.push_back(PresentKey(num_keys, f, i));
    slices.push_back(keys.back());
  }
  std::string filter;
  policy.CreateFilter(slices.data(), static_cast<int>(num_keys), &filter);
  return filter;
}

// Filters one after the other, as in a filter block.
class Filters {
 public:
  Filters(const FilterPolicy& policy, size_t num_keys) : begins_{0} {
    for (size_t f = 0; f < kNumFilters; ++f) {
      bytes_ += BuildFilter(policy, num_keys, f);
      begins_.push_back(bytes_.size());
    }
  }

  Slice operator[](size_t f) const {
    return Slice(bytes_.data() + begins_[f], begins_[f + 1] - begins_[f]);
  }
  size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
  std::vector<size_t> begins_;
};

void Lookup(benchmark::State& state, const Candidate& candidate,
            size_t num_keys, bool absent) {
  const Filters filters(*candidate.policy, num_keys);
  Random random;
  uint64_t matches = 0;
  for (auto _ : state) {
    const uint64_t r = random.Next();
    const size_t f = r % kNumFilters;
    const Key key =
        absent ? Key(2 * r + 1) : PresentKey(num_keys, f, (r >> 32) % num_keys);
    matches += candidate.policy->KeyMayMatch(key, filters[f]);
  }
  const auto lookups = state.iterations();
  state.SetItemsProcessed(lookups);
  if (!absent) {
    if (matches == static_cast<uint64_t>(lookups)) return;
    return state.SkipWithError("a filter lost a key");
  }
  const auto keys = static_cast<double>(kNumFilters * num_keys);
  state.counters["bits/key"] = 8.0 * static_cast<double>(filters.size()) / keys;
  state.counters["match%"] =
      100.0 * static_cast<double>(matches) / static_cast<double>(lookups);
  state.counters["theory%"] = 100 * candidate.theory;
}

// The time to make a key, which the times of lookups contain.
void KeysAlone(benchmark::State& state) {
  Random random;
  for (auto _ : state) {
    Key key(2 * random.Next() + 1);
    benchmark::DoNotOptimize(key.bytes);
  }
  state.SetItemsProcessed(state.iterations());
}

void Build(benchmark::State& state, const Candidate& candidate,
           size_t num_keys) {
  size_t f = 0;
  while (state.KeepRunningBatch(static_cast<int64_t>(num_keys))) {
    benchmark::DoNotOptimize(
        BuildFilter(*candidate.policy, num_keys, f++ % kNumFilters));
  }
  state.SetItemsProcessed(state.iterations());
}

void RegisterAll() {
  benchmark::RegisterBenchmark("lookup/making a key/none", &KeysAlone);
  for (const size_t num_keys : {1, 5, 20, 50, 200}) {
    for (const Candidate& c : CandidatesFor(num_keys)) {
      const std::string name =
          "/" + std::to_string(num_keys) + " keys/" + c.name;
      const auto add = [&](const char* what, auto run) {
        benchmark::RegisterBenchmark((what + name).c_str(), run);
      };
      add("absent", [=](benchmark::State& s) { Lookup(s, c, num_keys, true); });
      add("present",
          [=](benchmark::State& s) { Lookup(s, c, num_keys, false); });
      add("build", [=](benchmark::State& s) { Build(s, c, num_keys); });
    }
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  oneline::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
}
