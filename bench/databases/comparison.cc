#include "bench/databases/comparison.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

constexpr size_t kKeysAtOnce = 32;

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

void RunTogether(const Workload& workload, const Lookup* lookups, size_t count,
                 const Database& database) {
  for (size_t i = 0; i < count;) {
    i += Call(workload, lookups + i, count - i, database);
  }
}

void RunEachTimed(const Workload& workload, const Lookup* lookups, size_t count,
                  const Database& database, Measured* measured) {
  double before = SecondsOf(CLOCK_MONOTONIC);
  for (size_t i = 0; i < count;) {
    auto& micros = lookups[i].value.has_value() ? measured->present_micros
                                                : measured->absent_micros;
    i += Call(workload, lookups + i, count - i, database);
    const double after = SecondsOf(CLOCK_MONOTONIC);
    micros.push_back(1e6 * (after - before));
    before = after;
  }
}

void RunPart(const Workload& workload, const Lookup* lookups, size_t count,
             Database* database, Measured* measured) {
  database->TakeCounts();
  const size_t timed =
      workload.latency_share == 0 ? 0 : count / workload.latency_share;
  const size_t together = count - timed;
  const Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID);
  RunTogether(workload, lookups, together, *database);
  const ElapsedTime took = stopwatch.Elapsed();
  const double micros_each = 1e6 / static_cast<double>(together);
  measured->wall_micros.push_back(took.wall_seconds * micros_each);
  measured->cpu_micros.push_back(took.cpu_seconds * micros_each);
  RunEachTimed(workload, lookups + together, timed, *database, measured);
  measured->lookups += together + timed;
  measured->counts += database->TakeCounts();
}

// Each turn starts with another database.
void RunTurn(const Workload& workload, size_t turn, size_t turns,
             const Databases& databases, Progress* progress,
             std::vector<Measured>* measured) {
  const size_t part = workload.lookups.size() / turns;
  // Enough that at least one call is timed with others and one alone.
  const size_t least = std::min(std::max<size_t>(workload.latency_share, 1) *
                                    (workload.multi_get ? kKeysAtOnce : 1),
                                part);
  const bool fills =
      workload.fills_cache && turn % workload.turns < workload.turns / 2;
  for (size_t place = 0; place < databases.size(); ++place) {
    const size_t i = (place + turn) % databases.size();
    const size_t share =
        databases[i]->has_filter() ? 1 : workload.unfiltered_share;
    const size_t count = std::max(part / share, least);
    const Lookup* lookups = workload.lookups.data() + turn * part;
    if (fills) {
      RunTogether(workload, lookups, count, *databases[i]);
    } else {
      RunPart(workload, lookups, count, databases[i].get(), &(*measured)[i]);
    }
    progress->Advance(part);
  }
}

}  // namespace

Databases MakeDatabases(const std::string& directory,
                        const std::vector<Filter>& filters,
                        const rocksdb::Options& options,
                        const rocksdb::BlockBasedTableOptions& table,
                        const Records& records, const LoadPlan& plan,
                        Progress* progress) {
  Databases databases;
  databases.push_back(
      std::make_unique<Database>(directory + "/0", filters[0], options, table));
  Database& base = *databases[0];
  base.Load(records, plan, progress);
  base.OpenForLookups(Reads());
  for (size_t i = 1; i < filters.size(); ++i) {
    databases.push_back(base.Copy(absl::StrCat(directory, "/", i), filters[i]));
  }
  return databases;
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

std::vector<std::vector<Measured>> Compare(
    const Reads& reads, const std::vector<Workload>& workloads, size_t rounds,
    const Databases& databases, Progress* progress) {
  std::vector<std::vector<Measured>> measured(
      workloads.size(), std::vector<Measured>(databases.size()));
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < workloads.size(); ++i) {
      if (i == 0 || reads.direct) OpenAll(reads, round, databases);
      const size_t turns = workloads[i].turns;
      for (size_t turn = round * turns; turn < (round + 1) * turns; ++turn) {
        RunTurn(workloads[i], turn, rounds * turns, databases, progress,
                &measured[i]);
      }
    }
  }
  for (const auto& one : measured) CheckFiltersUsed(databases, one);
  return measured;
}

void CheckFiltersUsed(const Databases& databases,
                      const std::vector<Measured>& measured) {
  const Database* first = nullptr;
  uint64_t checks = 0;
  for (size_t i = 0; i < databases.size(); ++i) {
    const Database& database = *databases[i];
    if (!database.has_filter()) continue;
    const std::string name = absl::StrCat("database '", database.name(), "': ");
    const LookupCounts& counts = measured[i].counts;
    if (counts.skipped == 0) {
      Fail(name + "the filter was not used: it skipped no table");
    }
    if (database.lacks_some()) continue;
    if (first == nullptr) {
      first = &database;
      checks = counts.checks;
    }
    if (counts.checks != checks) {
      Fail(absl::StrCat(name, counts.checks, " filter checks, but ", checks,
                        " in '", first->name(),
                        "': the comparison would not be fair"));
    }
  }
}

void PrintLookups(const std::string& of, const Databases& databases,
                  const std::vector<Measured>& measured) {
  for (size_t i = 0; i < databases.size(); ++i) {
    const Measured& one = measured[i];
    const auto print = [&](const std::string& quantity, double value) {
      PrintResult(of, databases[i]->name(), quantity, value);
    };
    const auto print_latency = [&](const char* which,
                                   const std::vector<double>& micros) {
      if (micros.empty()) return;
      print(absl::StrCat("p50", which, ", us"), Quantile(0.50, micros));
      print(absl::StrCat("p99", which, ", us"), Quantile(0.99, micros));
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
    const bool both = !one.present_micros.empty() && !one.absent_micros.empty();
    print_latency(both ? " present" : "", one.present_micros);
    print_latency(both ? " absent" : "", one.absent_micros);
    print("filters queried", per_lookup(one.counts.checks));
    print("false positives in 1000",
          1000 * per_lookup(one.counts.false_positives()));
    print("block reads in 1000", 1000 * per_lookup(one.counts.data_blocks));
    print("blocks", 1000 * per_lookup(one.counts.cached_blocks));
    print("bits per key", databases[i]->bits_per_key());
  }
}

}  // namespace oneline
