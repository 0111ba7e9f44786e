#include "bench/databases/comparison.h"

#include <algorithm>
#include <thread>

#include "absl/strings/str_cat.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

constexpr size_t kKeysAtOnce = 32;

size_t KeysOfCall(const Workload& workload) {
  return workload.multi_get ? kKeysAtOnce : 1;
}

// Returns how many keys it looked up.
size_t Call(const Workload& workload, const Lookup* lookups, size_t count,
            const Database& database) {
  if (!workload.multi_get) {
    database.Get(*lookups);
    return 1;
  }
  const size_t keys = std::min(kKeysAtOnce, count);
  database.MultiGet(lookups, keys);
  return keys;
}

// The lookups are divided among the workload's threads.
void RunTogether(const Workload& workload, const Lookup* lookups, size_t count,
                 const Database& database) {
  const size_t part = count / workload.threads;
  const auto run = [&](size_t thread) {
    const Lookup* const first = lookups + thread * part;
    for (size_t i = 0; i < part;) {
      i += Call(workload, first + i, part - i, database);
    }
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < workload.threads; ++i) others.emplace_back(run, i);
  run(0);
  for (std::thread& other : others) other.join();
}

void RunEachTimed(const Workload& workload, const Lookup* lookups, size_t count,
                  const Database& database, std::vector<float>* micros) {
  double before = SecondsOf(CLOCK_MONOTONIC);
  for (size_t i = 0; i < count;) {
    i += Call(workload, lookups + i, count - i, database);
    const double after = SecondsOf(CLOCK_MONOTONIC);
    micros->push_back(static_cast<float>(1e6 * (after - before)));
    before = after;
  }
}

void RunRound(const Workload& workload, const Lookup* lookups, size_t count,
              const Database& database, Measured* measured) {
  const size_t timed =
      workload.latency_share == 0 ? 0 : count / workload.latency_share;
  const size_t together = (count - timed) / workload.threads * workload.threads;
  const Stopwatch stopwatch(workload.threads > 1 ? CLOCK_PROCESS_CPUTIME_ID
                                                 : CLOCK_THREAD_CPUTIME_ID);
  RunTogether(workload, lookups, together, database);
  const ElapsedTime took = stopwatch.Elapsed();
  const double micros_each = 1e6 / static_cast<double>(together);
  measured->wall_micros.push_back(took.wall_seconds * micros_each);
  measured->cpu_micros.push_back(took.cpu_seconds * micros_each);
  measured->lookups += together + timed;
  RunEachTimed(workload, lookups + together, timed, database,
               &measured->latency_micros);
}

// Enough that at least one call is timed with others and one alone.
size_t MinLookups(const Workload& workload) {
  const size_t calls = std::max<size_t>(workload.latency_share, 1);
  return std::min(calls * KeysOfCall(workload), workload.per_round());
}

}  // namespace

void LoadAll(const Records& records, const LoadPlan& plan,
             const Databases& databases, size_t at_once, Progress* progress) {
  std::vector<std::thread> threads;
  for (size_t first = 0; first < at_once; ++first) {
    threads.emplace_back([&, first] {
      for (size_t i = first; i < databases.size(); i += at_once) {
        databases[i]->Load(records, plan, progress);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void OpenAll(const Reads& reads, size_t first, const Databases& databases) {
  for (const auto& database : databases) database->Close();
  for (size_t i = 0; i < databases.size(); ++i) {
    databases[(first + i) % databases.size()]->OpenForLookups(reads);
  }
  for (const auto& database : databases) {
    if (database->tables() != databases.front()->tables()) {
      Fail(absl::StrCat("the tables of databases '", databases.front()->name(),
                        "' and '", database->name(),
                        "' differ: the comparison would not be fair"));
    }
  }
}

void CompareRound(const Workload& workload, size_t round,
                  const Databases& databases, Progress* progress,
                  std::vector<Measured>* measured) {
  const size_t per_round = workload.per_round();
  for (const auto& database : databases) database->TakeCounts();
  for (size_t turn = 0; turn < databases.size(); ++turn) {
    // Each round starts with another database.
    const size_t i = (turn + round) % databases.size();
    const size_t share =
        databases[i]->has_filter() ? 1 : workload.unfiltered_share;
    RunRound(workload, workload.lookups.data() + round * per_round,
             std::max(per_round / share, MinLookups(workload)), *databases[i],
             &(*measured)[i]);
    (*measured)[i].counts += databases[i]->TakeCounts();
    progress->Advance(per_round);
  }
}

void CheckFiltersUsed(const Databases& databases,
                      const std::vector<Measured>& measured) {
  size_t first = databases.size();
  for (size_t i = 0; i < databases.size(); ++i) {
    if (!databases[i]->has_filter()) continue;
    first = std::min(first, i);
    const std::string name =
        absl::StrCat("database '", databases[i]->name(), "': ");
    const LookupCounts& counts = measured[i].counts;
    if (counts.skipped == 0) {
      Fail(name + "the filter was not used: it skipped no table");
    }
    const uint64_t checks = measured[first].counts.checks;
    if (counts.checks != checks) {
      Fail(absl::StrCat(name, counts.checks, " filter checks, but ", checks,
                        " in '", databases[first]->name(),
                        "': the comparison would not be fair"));
    }
  }
}

void PrintLookups(const std::string& of, const Databases& databases,
                  std::vector<Measured> measured) {
  for (size_t i = 0; i < databases.size(); ++i) {
    Measured& one = measured[i];
    const auto print = [&](const char* quantity, double value) {
      PrintResult(of, databases[i]->name(), quantity, value);
    };
    const auto per_lookup = [&](uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(one.lookups);
    };
    for (const double micros : one.wall_micros) {
      print("lookups per second", 1e6 / micros);
    }
    for (const double micros : one.cpu_micros) {
      print("processor time, us", micros);
    }
    if (!one.latency_micros.empty()) {
      print("p50, us", Percentile(0.50, &one.latency_micros));
      print("p99, us", Percentile(0.99, &one.latency_micros));
    }
    print("filters queried", per_lookup(one.counts.checks));
    print("false positives in 1000",
          1000 * per_lookup(one.counts.false_positives()));
    print("block reads in 1000", 1000 * per_lookup(one.counts.data_blocks));
    print("bits per key", databases[i]->bits_per_key());
  }
}

}  // namespace oneline
