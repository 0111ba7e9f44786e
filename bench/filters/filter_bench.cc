// Measures filters alone, without a database: ours with every kernel and
// RocksDB's, in one process and through the virtual functions by which RocksDB
// calls them. Prints a line of case, filter, quantity and value for each
// repetition, for bench/report/figures.awk; bench/report/bench.sh runs it with
// repetitions in random order, so that other work of the machine affects all
// filters alike. All times are per key.
//
// Usage: filter_bench WHAT [--benchmark_...]
//   keys                     making a key, which lookups contain: where none
//                            needs another's answer, and where each waits
//   lookups BITS KILOBYTES   single ones, batches, and single ones of which
//   each
//                            waits for the answer before, as a database asks
//                            one filter after the other
//   builds BITS              of 1 MB, from the first key to the block; with the
//                            instruction set that the machine or ONELINE_KERNEL
//                            chooses
//   parallel KILOBYTES       lookups, and opening, which is what RocksDB does
//                            with a block that it has read; on one thread and
//                            on two, which must not wait for each other
//
// Each filter is built when it is first needed, and kept. All are looked up at
// the same place.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/filters/filter_runs.h"
#include "bench/measure/measuring_program.h"

namespace oneline {
namespace {

// RocksDB's Ribbon takes 30 bytes per key while it is built.
constexpr size_t kMaxRocksDBRibbonKilobytes = 64 * kMegabyte;

using benchmark::State;
using Body = std::function<void(State&)>;

benchmark::internal::Benchmark* Add(const std::string& of,
                                    const std::string& filter,
                                    const Body& run) {
  return benchmark::RegisterBenchmark((of + "/" + filter).c_str(), run);
}

std::vector<Candidate> Candidates(const Setting& setting) {
  std::vector<Candidate> feasible;
  for (Candidate& c : CandidatesAt(setting.bits_per_key)) {
    if (c.block_name != "rocksdb_ribbon" ||
        setting.kilobytes <= kMaxRocksDBRibbonKilobytes) {
      feasible.push_back(std::move(c));
    }
  }
  return feasible;
}

std::string SizeText(size_t kilobytes) {
  return kilobytes < kMegabyte ? std::to_string(kilobytes) + " KB"
                               : std::to_string(kilobytes / kMegabyte) + " MB";
}

void AddKeys() {
  Add("making a key", "independent", &KeysAlone<Order::kIndependent>);
  Add("making a key", "dependent", &KeysAlone<Order::kDependent>);
}

void AddLookups(const Setting& setting) {
  std::string suffix = ", " + SizeText(setting.kilobytes);
  if (setting.bits_per_key != 10) {
    suffix += ", " + Plain(setting.bits_per_key) + " bits per key";
  }
  for (const Candidate& c : Candidates(setting)) {
    for (const Presence p : {Presence::kAbsent, Presence::kPresent}) {
      const std::string what =
          p == Presence::kAbsent ? "absent key" : "present key";
      Add(what + suffix, c.name,
          [=](State& s) { Lookup<Order::kIndependent>(s, c, setting, p); });
      Add(what + " that waits for the last" + suffix, c.name,
          [=](State& s) { Lookup<Order::kDependent>(s, c, setting, p); });
    }
    Add("batch of 32 absent keys" + suffix, c.name,
        [=](State& s) { LookupBatch(s, c, setting); });
  }
}

void AddBuilds(const Setting& setting) {
  std::set<std::string> built;
  for (const Candidate& c : Candidates(setting)) {
    if (!built.insert(c.builder_name).second) continue;
    Add("build, " + Plain(setting.bits_per_key) + " bits per key",
        c.builder_name, [=](State& s) { Build(s, c, setting.num_keys()); });
  }
}

void AddParallel(const Setting& setting) {
  for (const Candidate& c : Candidates(setting)) {
    if (!c.usual) continue;
    const auto add = [&](const std::string& what, const Body& run) {
      Add(what + ", " + SizeText(setting.kilobytes) + ", in parallel",
          c.builder_name, run)
          ->UseRealTime()
          ->Threads(1)
          ->Threads(2);
    };
    add("absent key", [=](State& s) {
      Lookup<Order::kIndependent>(s, c, setting, Presence::kAbsent);
    });
    add("opening", [=](State& s) { Load(s, c, setting); });
  }
}

// False if it is not understood.
bool AddAll(const std::vector<std::string>& words) {
  const auto number = [&](size_t i) { return std::atof(words[i].c_str()); };
  const auto is = [&](const char* what, size_t numbers) {
    if (words.size() != numbers + 1 || words[0] != what) return false;
    for (size_t i = 1; i <= numbers; ++i) {
      if (number(i) < 1) return false;
    }
    return true;
  };
  if (is("keys", 0)) {
    AddKeys();
  } else if (is("lookups", 2)) {
    AddLookups({number(1), static_cast<size_t>(number(2)), 0});
  } else if (is("builds", 1)) {
    AddBuilds({number(1), kMegabyte, 0});
  } else if (is("parallel", 1)) {
    AddParallel({10, static_cast<size_t>(number(1)), 0});
  } else {
    return false;
  }
  return true;
}

class Printer final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        Fail(run.benchmark_name() + ": " + run.error_message);
      }
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const size_t slash = name.rfind('/');
      std::string of = name.substr(0, slash);
      std::string quantity = "ns";
      if (const size_t at = of.find(", in parallel"); at != of.npos) {
        of.resize(at);
        quantity = run.threads == 1 ? "ns alone" : "ns of 2 threads";
      }
      // Of one thread: where they do not wait for each other, the same for all.
      PrintResult(of, name.substr(slash + 1), quantity,
                  1e9 * static_cast<double>(run.threads) /
                      run.counters.at("items_per_second"));
    }
  }
};

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (!oneline::AddAll(std::vector<std::string>(argv + 1, argv + argc))) {
    std::fprintf(stderr, "error: usage: see filter_bench.cc\n");
    return 2;
  }
  oneline::Printer printer;
  benchmark::RunSpecifiedBenchmarks(&printer);
}
