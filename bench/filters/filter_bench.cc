// Measures filters alone, without a database: nanoseconds per lookup and per
// key of a build, the false-positive rate beside its theory, stored bits per
// key, and peak memory of a build. Compares ours with every kernel and
// RocksDB's, in one process and through the virtual functions by which RocksDB
// calls them. bench/report/run_benchmarks.sh runs it with repetitions in random
// order, so that other work of the machine affects all filters alike.
//
// The name of a benchmark is
//   what / bits per key / kilobytes of the filter / offset modulo 64 / filter
// where "what" is
//   absent, present    single lookups, none of which needs another's answer
//   batch32            lookups of 32 absent keys at once
//   dependent_absent,
//   dependent_present  single lookups, each of which waits for the answer
//                      before, as a database asks one filter after the other
//   build              from the first key to the block
//   load               what RocksDB does with a block that it has read: makes a
//                      reader, and destroys it. The item is a block
// With "in parallel" for the offset, the same on one thread and on two, which
// must not wait for each other. And
//   independent / making a key / none     what lookups of absent and present
//                      keys, single and in batches, contain
//   dependent / making a key / none       the same if each key waits for the
//                      key before, which dependent lookups contain
// All times are per key.
//
// Each filter is built when it is first needed, and kept. Without
// --benchmark_filter they take 14 GB. All are looked up at the same place.

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/filters/filter_runs.h"

namespace oneline {
namespace {

// RocksDB's Ribbon takes 30 bytes per key while it is built.
constexpr size_t kMaxRocksDBRibbonKilobytes = 64 * kMegabyte;

bool Feasible(const Candidate& candidate, const Setting& setting) {
  return candidate.block_name != "rocksdb_ribbon" ||
         setting.kilobytes <= kMaxRocksDBRibbonKilobytes;
}

using Body = std::function<void(benchmark::State&)>;

benchmark::internal::Benchmark* Add(const std::string& what,
                                    const std::string& setting,
                                    const std::string& filter,
                                    const Body& run) {
  const std::string name = what + "/" + setting + "/" + filter;
  return benchmark::RegisterBenchmark(name.c_str(), run);
}

enum class Kernels { kAll, kUsual };

// Kept, because CandidatesAt builds filters to fit the size of RocksDB's
// Ribbon.
const std::vector<Candidate>& Candidates(double bits_per_key) {
  static auto* const candidates = new std::map<double, std::vector<Candidate>>;
  auto& found = (*candidates)[bits_per_key];
  if (found.empty()) found = CandidatesAt(bits_per_key);
  return found;
}

void RegisterLookups(const Setting& setting, Kernels kernels) {
  const std::string name =
      setting.name() + "/offset " + std::to_string(setting.offset);
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (kernels == Kernels::kUsual && !c.usual) continue;
    if (!Feasible(c, setting)) continue;
    using benchmark::State;
    for (const Presence p : {Presence::kAbsent, Presence::kPresent}) {
      const char* const what = p == Presence::kAbsent ? "absent" : "present";
      Add(what, name, c.name,
          [=](State& s) { Lookup<Order::kIndependent>(s, c, setting, p); });
      Add(std::string("dependent_") + what, name, c.name,
          [=](State& s) { Lookup<Order::kDependent>(s, c, setting, p); });
    }
    Add("batch32", name, c.name, [=](State& s) { LookupBatch(s, c, setting); });
  }
}

// Builds use the instruction set that the machine or ONELINE_KERNEL chooses.
void RegisterBuilds(const Setting& setting) {
  std::set<std::string> built;
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (!Feasible(c, setting) || !built.insert(c.builder_name).second) continue;
    Add("build", setting.name(), c.builder_name,
        [=](benchmark::State& s) { Build(s, c, setting.num_keys()); });
  }
}

void RegisterParallel(const Setting& setting) {
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (!c.usual) continue;
    using benchmark::State;
    const auto add = [&](const char* what, const Body& run) {
      // Counters are in the tables of one thread.
      const Body timed = [=](State& s) {
        run(s);
        s.counters.clear();
        s.SetItemsProcessed(s.iterations());
      };
      Add(what, setting.name() + "/in parallel", c.builder_name, timed)
          ->UseRealTime()
          ->Threads(1)
          ->Threads(2);
    };
    add("absent", [=](State& s) {
      Lookup<Order::kIndependent>(s, c, setting, Presence::kAbsent);
    });
    add("batch32", [=](State& s) { LookupBatch(s, c, setting); });
    add("load", [=](State& s) { Load(s, c, setting); });
    add("build", [=](State& s) { Build(s, c, setting.num_keys()); });
  }
}

void RegisterAll() {
  Add("independent", "making a key", "none", &KeysAlone<Order::kIndependent>);
  Add("dependent", "making a key", "none", &KeysAlone<Order::kDependent>);
  for (const double bits_per_key : {5.0, 7.0, 10.0, 16.0}) {
    for (const size_t megabytes : {1, 20, 400}) {
      for (const size_t offset : {0, 16}) {
        RegisterLookups({bits_per_key, megabytes * kMegabyte, offset},
                        Kernels::kAll);
      }
    }
  }
  for (const size_t kilobytes : {size_t{16}, size_t{128}, 1024 * kMegabyte}) {
    RegisterLookups({10, kilobytes, 0}, Kernels::kUsual);
  }
  for (const double bits_per_key :
       {4.0, 5.0, 6.0, 7.0, 7.1, 8.0, 10.0, 12.0, 14.0, 16.0, 20.0}) {
    RegisterBuilds({bits_per_key, kMegabyte, 0});
  }
  RegisterBuilds({10, 20 * kMegabyte, 0});
  for (const size_t kilobytes : {size_t{16}, kMegabyte, 20 * kMegabyte}) {
    RegisterParallel({10, kilobytes, 0});
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
