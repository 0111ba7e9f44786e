#include "bench/comparison/comparison.h"

#include <algorithm>
#include <thread>

#include "absl/strings/str_cat.h"
#include "bench/measure/clocks.h"

namespace oneline {
namespace {

size_t KeysOfCall(Operation operation) {
  return operation == Operation::kMultiGet ? kKeysAtOnce : 1;
}

absl::Status Call(Operation operation, const Lookup* lookups, size_t count,
                  Database* database) {
  switch (operation) {
    case Operation::kGet:
      return database->Get(*lookups);
    case Operation::kMultiGet:
      return database->MultiGet(lookups, count);
    case Operation::kSeekPrefix:
      return database->SeekPrefix(*lookups);
  }
  return absl::InternalError("unknown operation");
}

absl::Status RunAll(Operation operation, const Lookup* lookups, size_t count,
                    Database* database) {
  const size_t keys = KeysOfCall(operation);
  for (size_t i = 0; i < count; i += keys) {
    const absl::Status status =
        Call(operation, lookups + i, std::min(keys, count - i), database);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// The first error, if there is one.
absl::Status FirstError(const std::vector<absl::Status>& results) {
  for (const absl::Status& result : results) {
    if (!result.ok()) return result;
  }
  return absl::OkStatus();
}

// The lookups are divided among the workload's threads.
absl::Status RunTogether(const Workload& workload, const Lookup* lookups,
                         size_t count, Database* database) {
  const size_t part = count / workload.threads;
  std::vector<absl::Status> results(workload.threads);
  const auto run = [&](size_t i) {
    results[i] = RunAll(workload.operation, lookups + i * part, part, database);
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < workload.threads; ++i) others.emplace_back(run, i);
  run(0);
  for (std::thread& other : others) other.join();
  return FirstError(results);
}

absl::Status RunEachTimed(Operation operation, const Lookup* lookups,
                          size_t count, Database* database,
                          std::vector<float>* micros) {
  const size_t keys = KeysOfCall(operation);
  double before = SecondsOf(CLOCK_MONOTONIC);
  for (size_t i = 0; i < count; i += keys) {
    const absl::Status status =
        Call(operation, lookups + i, std::min(keys, count - i), database);
    if (!status.ok()) return status;
    const double after = SecondsOf(CLOCK_MONOTONIC);
    micros->push_back(static_cast<float>(1e6 * (after - before)));
    before = after;
  }
  return absl::OkStatus();
}

absl::Status RunRound(const Workload& workload, const Lookup* lookups,
                      size_t count, Database* database, Measured* measured) {
  const size_t timed =
      workload.latency_share == 0 ? 0 : count / workload.latency_share;
  const size_t together = (count - timed) / workload.threads * workload.threads;
  const Stopwatch stopwatch(workload.threads > 1 ? CLOCK_PROCESS_CPUTIME_ID
                                                 : CLOCK_THREAD_CPUTIME_ID);
  absl::Status status = RunTogether(workload, lookups, together, database);
  const ElapsedTime took = stopwatch.Elapsed();
  if (!status.ok()) return status;
  const double micros_each = 1e6 / static_cast<double>(together);
  measured->wall_micros.push_back(took.wall_seconds * micros_each);
  measured->cpu_micros.push_back(took.cpu_seconds * micros_each);
  measured->lookups += together + timed;
  return RunEachTimed(workload.operation, lookups + together, timed, database,
                      &measured->latency_micros);
}

// Enough that at least one call is timed with others and one alone.
size_t MinLookups(const Workload& workload) {
  const size_t calls = std::max<size_t>(workload.latency_share, 1);
  return std::min(calls * KeysOfCall(workload.operation), workload.per_round());
}

absl::Status CheckSameTrees(const Databases& databases) {
  for (const auto& database : databases) {
    if (database->tables() != databases.front()->tables()) {
      return absl::InternalError(absl::StrCat(
          "the tables of databases '", databases.front()->name(), "' and '",
          database->name(), "' differ: the comparison would not be fair"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LoadAll(const Records& records, const LoadPlan& plan,
                     const Databases& databases, size_t at_once,
                     Progress* progress) {
  std::vector<absl::Status> results(databases.size());
  std::vector<std::thread> threads;
  for (size_t first = 0; first < at_once; ++first) {
    threads.emplace_back([&, first] {
      for (size_t i = first; i < databases.size(); i += at_once) {
        results[i] = databases[i]->Load(records, plan, progress).status();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return FirstError(results);
}

absl::Status OpenAll(const Reads& reads, size_t first,
                     const Databases& databases) {
  for (const auto& database : databases) database->Close();
  for (size_t i = 0; i < databases.size(); ++i) {
    const absl::Status status =
        databases[(first + i) % databases.size()]->OpenForLookups(reads);
    if (!status.ok()) return status;
  }
  return CheckSameTrees(databases);
}

absl::Status CompareRound(const Workload& workload, size_t round,
                          const Databases& databases, Progress* progress,
                          std::vector<Measured>* measured) {
  const size_t per_round = workload.per_round();
  for (const auto& database : databases) database->TakeCounts();
  for (size_t turn = 0; turn < databases.size(); ++turn) {
    // Each round starts with another database.
    const size_t i = (turn + round) % databases.size();
    const size_t share =
        databases[i]->has_filter() ? 1 : workload.unfiltered_share;
    const absl::Status status =
        RunRound(workload, workload.lookups.data() + round * per_round,
                 std::max(per_round / share, MinLookups(workload)),
                 databases[i].get(), &(*measured)[i]);
    if (!status.ok()) return status;
    (*measured)[i].counts += databases[i]->TakeCounts();
    progress->Advance(per_round);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Measured>> Compare(const Workload& workload,
                                              const Databases& databases,
                                              Progress* progress) {
  std::vector<Measured> measured(databases.size());
  for (size_t round = 0; round < workload.rounds; ++round) {
    const absl::Status status =
        CompareRound(workload, round, databases, progress, &measured);
    if (!status.ok()) return status;
  }
  return measured;
}

absl::Status CheckFiltersUsed(const Databases& databases,
                              const std::vector<Measured>& measured) {
  size_t first = databases.size();
  for (size_t i = 0; i < databases.size(); ++i) {
    if (!databases[i]->has_filter()) continue;
    first = std::min(first, i);
    const std::string name =
        absl::StrCat("database '", databases[i]->name(), "': ");
    const LookupCounts& counts = measured[i].counts;
    if (counts.skipped == 0) {
      return absl::InternalError(
          absl::StrCat(name, "the filter was not used: it skipped no table"));
    }
    const uint64_t checks = measured[first].counts.checks;
    if (counts.checks != checks) {
      return absl::InternalError(absl::StrCat(
          name, counts.checks, " filter checks, but ", checks, " in '",
          databases[first]->name(), "': the comparison would not be fair"));
    }
  }
  return absl::OkStatus();
}

}  // namespace oneline
