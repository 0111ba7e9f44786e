// Compares two commits' builders and readers, for commits.sh: with each
// instruction set, the old commit, the new one and the old one again take turns
// in one process, round by round, at the same place in memory. Prints the ratio
// of the times of a round, new to old, and of the old one to itself, which is
// what chance alone does; both as quartiles of all rounds. Keys are made within
// the times, about 2 ns.
//
// Usage: commits_bench OLD_LIBRARY NEW_LIBRARY ROUNDS [FLAGS OF GOOGLE
// BENCHMARK]
//
// With ONELINE_PEER, as in filter_candidates.h, the last column is the new time
// by that of RocksDB's Bloom with AVX2, else by that of the installed one.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/filters/filter_runs.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

using Body = std::function<void(benchmark::State&, const Candidate&)>;
using Times = std::vector<double>;  // ns per key, one for each round

constexpr const char* kRoles[] = {"old", "new", "again"};

[[noreturn]] void Fail(const std::string& problem) {
  std::fprintf(stderr, "error: %s\n", problem.c_str());
  std::exit(1);
}

// The policy of a library with one instruction set; null if it can't be run. A
// copy of the library for each, as its first call decides for the set.
std::shared_ptr<const rocksdb::FilterPolicy> PolicyOf(
    const std::string& library, const char* role, size_t set, const char* kind,
    double bits_per_key) {
  using Maker = const rocksdb::FilterPolicy* (*)(size_t, const char*, double);
  static auto* const makers = new std::map<std::string, Maker>;
  const std::string copy =
      library + "." + role + "." + kInstructionSetNames[set];
  Maker& maker = (*makers)[copy];
  if (maker == nullptr) {
    std::filesystem::copy_file(library, copy);
    void* const handle = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) Fail(dlerror());
    maker = reinterpret_cast<Maker>(dlsym(handle, "NewCommitPolicy"));
    if (maker == nullptr) Fail(dlerror());
    std::filesystem::remove(copy);
  }
  return std::shared_ptr<const rocksdb::FilterPolicy>(
      maker(set, kind, bits_per_key));
}

Candidate CandidateOf(const std::string& name, const std::string& block_name,
                      std::shared_ptr<const rocksdb::FilterPolicy> policy) {
  return {name,
          block_name,
          name,
          true,
          policy,
          [policy](const rocksdb::Slice& b) {
            return policy->GetFilterBitsReader(b);
          },
          nullptr};
}

class Comparison : public benchmark::BenchmarkReporter {
 public:
  Comparison(const std::string& old_library, const std::string& new_library)
      : libraries_{old_library, new_library, old_library} {}

  // `what` is measured of RocksDB's Bloom and of all candidates of ours.
  void Add(const std::string& what, const char* kind, double bits_per_key,
           const Body& body) {
    const std::string peer = what + "/RocksDB's Bloom";
    if (times_.emplace(peer, Times()).second) {
      Register(peer, Bloom(bits_per_key), body);
    }
    // The best set first: it builds the filter that all others read.
    for (size_t set = kNumInstructionSets; set-- > 0;) {
      const std::string row =
          what + "/" + kind + "/" + kInstructionSetNames[set];
      for (size_t i = 0; i < 3; ++i) {
        const auto policy =
            PolicyOf(libraries_[i], kRoles[i], set, kind, bits_per_key);
        if (policy == nullptr) break;
        const std::string name = row + "/" + kRoles[i];
        // The old commit's format may be another.
        const std::string block =
            std::string(kind) + (i == 1 ? "/new" : "/old");
        Register(name, CandidateOf(name, block, policy), body);
        if (i == 0) rows_.push_back({row, peer});
      }
    }
  }

  void Run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      std::fprintf(stderr, "round %d of %d\n", round + 1, rounds);
      if (benchmark::RunSpecifiedBenchmarks(this) == 0) Fail("no benchmark");
    }
  }

  void Print() {
    std::printf("%-52s %8s %20s %20s %6s\n", "", "old, ns", "new / old",
                "old again / old", "/Bloom");
    for (const auto& [row, peer] : rows_) {
      const Times& old = times_[row + "/old"];
      if (old.empty()) continue;
      const Times& changed = times_[row + "/new"];
      std::printf("%-52s %8.2f %s %s %6.2f\n", row.c_str(), Quartile(old, 2),
                  Ratios(changed, old).c_str(),
                  Ratios(times_[row + "/again"], old).c_str(),
                  Quartile(changed, 2) / Quartile(times_[peer], 2));
    }
  }

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<BenchmarkReporter::Run>& runs) override {
    for (const auto& run : runs) {
      if (run.error_occurred) Fail(run.benchmark_name() + run.error_message);
      times_[run.benchmark_name()].push_back(run.GetAdjustedCPUTime());
    }
  }

 private:
  static Candidate Bloom(double bits_per_key) {
    Candidate found;
    for (const Candidate& c : CandidatesAt(bits_per_key)) {
      if (c.name == "rocksdb_bloom" || c.name == "rocksdb_avx2_bloom")
        found = c;
    }
    return found;
  }

  static void Register(const std::string& name, const Candidate& candidate,
                       const Body& body) {
    benchmark::RegisterBenchmark(
        name.c_str(), [=](benchmark::State& state) { body(state, candidate); });
  }

  static double Quartile(Times times, size_t quarters) {
    std::sort(times.begin(), times.end());
    return times[(times.size() - 1) * quarters / 4];
  }

  static std::string Ratios(Times times, const Times& old) {
    for (size_t i = 0; i < times.size(); ++i) times[i] /= old[i];
    char text[32];
    std::snprintf(text, sizeof(text), "%6.3f%7.3f%7.3f", Quartile(times, 1),
                  Quartile(times, 2), Quartile(times, 3));
    return text;
  }

  const std::string libraries_[3];
  std::vector<std::pair<std::string, std::string>> rows_;  // and their Bloom
  std::map<std::string, Times> times_;
};

void AddLookups(const Setting& setting, const char* kind, Comparison* all) {
  const std::string name =
      setting.name() + "/offset " + std::to_string(setting.offset);
  for (const Presence p : {Presence::kAbsent, Presence::kPresent}) {
    const char* const what = p == Presence::kAbsent ? "absent/" : "present/";
    all->Add(what + name, kind, setting.bits_per_key,
             [=](benchmark::State& state, const Candidate& c) {
               Lookup<Order::kIndependent>(state, c, setting, p);
             });
  }
  all->Add("batch32/" + name, kind, setting.bits_per_key,
           [=](benchmark::State& state, const Candidate& c) {
             LookupBatch(state, c, setting);
           });
}

void AddBuilds(const Setting& setting, Comparison* all) {
  all->Add("build/" + setting.name(), "ribbon", setting.bits_per_key,
           [=](benchmark::State& state, const Candidate& c) {
             Build(state, c, setting.num_keys());
           });
}

void AddAll(Comparison* all) {
  for (const size_t offset : {0, 16}) {
    for (const double bits_per_key : {5.0, 7.0, 10.0, 16.0}) {
      AddLookups({bits_per_key, kMegabyte, offset}, "ribbon", all);
    }
    AddLookups({10, 200 * kMegabyte, offset}, "ribbon", all);
    AddLookups({10, kMegabyte, offset}, "bloom", all);
  }
  for (const double bits_per_key : {3.0, 5.0, 7.0, 10.0, 16.0}) {
    AddBuilds({bits_per_key, kMegabyte, 0}, all);
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const int rounds = argc == 4 ? std::atoi(argv[3]) : 0;
  if (rounds < 1) {
    std::fprintf(stderr,
                 "usage: commits_bench OLD_LIBRARY NEW_LIBRARY ROUNDS\n");
    return 2;
  }
  oneline::Comparison all(argv[1], argv[2]);
  oneline::AddAll(&all);
  all.Run(rounds);
  all.Print();
}
