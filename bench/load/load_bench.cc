// Reads beside writes: what a read takes at a fixed rate of requests, while
// flushes and compactions build filters. Each run of the program is one case:
//
//   load_bench --workload=A --threads=1 --load=0.5
//
// The rate is a share, --load, of what a closed loop with RocksDB's Bloom
// filter reaches in the same workload, measured first. Filters take turns in
// rounds. Prints lines as docs/internals/figures/ has them: percentiles of the
// latency of reads, what these are of Bloom's in the same round, and bits per
// key. RocksDB's Bloom in another copy shows what chance does: a difference as
// small is "none".

#include <rocksdb/statistics.h>
#include <rocksdb/version.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/budget/drawn_keys.h"
#include "bench/filters/filter_candidates.h"
#include "bench/load/copied_database.h"
#include "bench/load/paced_requests.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/random_key.h"
#include "bench/measure/spread.h"

ABSL_FLAG(std::string, workload, "A",
          "readwhilewriting, as of db_bench, or A, B or C, as of YCSB");
ABSL_FLAG(unsigned, threads, 1, "that share the requests");
ABSL_FLAG(double, load, 0.5, "the rate's share of what a closed loop reaches");
ABSL_FLAG(double, absent, 0.3, "the share of reads whose key is absent");
ABSL_FLAG(uint64_t, keys, 4000000, "of 16 bytes, with values of 100");
ABSL_FLAG(unsigned, cache_mb, 64, "of block cache");
ABSL_FLAG(double, writes, 5000, "a second, beside readwhilewriting");
ABSL_FLAG(double, seconds, 20, "of each run");
ABSL_FLAG(unsigned, rounds, 5, "runs with each filter");
ABSL_FLAG(std::string, databases, "",
          "keeps databases there, and uses those of as many keys again");

namespace oneline {
namespace {

struct Workload {
  const char* name;
  double updates;  // share of requests
  KeyLaw law;
  bool has_writer;  // beside the requests
};
constexpr Workload kWorkloads[] = {
    {"readwhilewriting", 0, KeyLaw::kUniform, true},
    {"A", 0.5, KeyLaw::kZipf, false},
    {"B", 0.05, KeyLaw::kZipf, false},
    {"C", 0, KeyLaw::kZipf, false}};

const Workload* WorkloadOfFlag() {
  for (const Workload& workload : kWorkloads) {
    if (workload.name == absl::GetFlag(FLAGS_workload)) return &workload;
  }
  return nullptr;
}

// The first is what others are compared with, the second shows chance.
std::vector<RocksDBFilter> Filters() {
  return {{"RocksDB's Bloom", "bloomfilter:10:false"},
          {"RocksDB's Bloom, again", "bloomfilter:10:false"},
          {"RocksDB's Ribbon",
           absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(10), ":-1")},
          {"oneline:10", "oneline:10"}};
}

// What one thread asks of a database.
class Client {
 public:
  Client(const Workload& workload, rocksdb::DB* db, uint64_t number)
      : updates_(workload.updates),
        db_(db),
        read_(absl::GetFlag(FLAGS_keys), workload.law,
              1 - absl::GetFlag(FLAGS_absent), 3 * number),
        updated_(absl::GetFlag(FLAGS_keys), workload.law, 1, 3 * number + 1),
        random_(3 * number + 2) {}

  // Returns whether it was a read.
  bool Request() {
    if (static_cast<double>(random_.Next() >> 11) * 0x1p-53 < updates_) {
      return Update();
    }
    const DrawnKeys::Drawn drawn = read_.Next();
    constexpr size_t kBytes = sizeof(drawn.key.bytes);
    value_.Reset();
    const rocksdb::Status status = db_->Get({}, db_->DefaultColumnFamily(),
                                            {drawn.key.bytes, kBytes}, &value_);
    if (!status.IsNotFound()) Check(status);
    const bool is_right =
        status.ok()
            ? drawn.is_present && value_.size() == kValueBytes &&
                  std::memcmp(value_.data(), drawn.key.bytes, kBytes) == 0
            : !drawn.is_present;
    if (!is_right) Check(rocksdb::Status::Corruption("a wrong answer"));
    return true;
  }

  bool Update() {
    Check(Put(db_, {}, updated_.Next().key));
    return false;
  }

 private:
  const double updates_;
  rocksdb::DB* const db_;
  DrawnKeys read_, updated_;
  Random random_;
  rocksdb::PinnableSlice value_;
};

// A run that built no filters in a workload with many writes, or did not use
// them, measures nothing.
void CheckRun(const Workload& workload, rocksdb::DB* db,
              const RocksDBFilter& filter) {
  CheckFilters(db, filter);
  const auto count = [&](rocksdb::Tickers ticker) {
    return db->GetOptions().statistics->getTickerCount(ticker);
  };
  if (count(rocksdb::BLOOM_FILTER_USEFUL) == 0) {
    Check(rocksdb::Status::Corruption("the filters were not used"));
  }
  if ((workload.has_writer || workload.updates >= 0.5) &&
      (count(rocksdb::FLUSH_WRITE_BYTES) == 0 ||
       count(rocksdb::COMPACT_WRITE_BYTES) == 0)) {
    Check(rocksdb::Status::Corruption("no filters were built",
                                      "more --seconds are needed"));
  }
}

Sizes SizesOfFlags() {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  // So small that some thousand updates a second keep flushes and compactions
  // going; in proportion, so that trees have the same form with fewer keys.
  return {keys, (sizeof(Key) + kValueBytes) * keys / 256,
          size_t{absl::GetFlag(FLAGS_cache_mb)} << 20};
}

struct Latencies {
  double bits_per_key = 0;  // of filters, before the first request
  double requests_per_second = 0;
  std::vector<float> micros;  // of reads
};

// With rate 0 a closed loop.
Latencies RunOnce(const Workload& workload, const std::string& databases,
                  const RocksDBFilter& filter, double rate) {
  const std::string path = databases + ".run";
  std::filesystem::remove_all(path);
  const auto db = OpenCopy(databases, filter, path, SizesOfFlags());
  Latencies all;
  all.bits_per_key = 8 * static_cast<double>(CheckFilters(db.get(), filter)) /
                     static_cast<double>(absl::GetFlag(FLAGS_keys));
  const double seconds = absl::GetFlag(FLAGS_seconds);
  std::vector<Latencies> of_thread(absl::GetFlag(FLAGS_threads));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < of_thread.size(); ++i) {
    threads.emplace_back([&, i] {
      Client client(workload, db.get(), i);
      const uint64_t requests = MakePacedRequests(
          {rate / static_cast<double>(of_thread.size()), seconds},
          [&] { return client.Request(); }, &of_thread[i].micros);
      of_thread[i].requests_per_second =
          static_cast<double>(requests) / seconds;
    });
  }
  if (workload.has_writer) {
    threads.emplace_back([&] {
      Client writer(workload, db.get(), of_thread.size());
      MakePacedRequests(
          {absl::GetFlag(FLAGS_writes), seconds},
          [&] { return writer.Update(); }, nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CheckRun(workload, db.get(), filter);
  Check(db->Close());
  std::filesystem::remove_all(path);
  for (const Latencies& part : of_thread) {
    all.requests_per_second += part.requests_per_second;
    all.micros.insert(all.micros.end(), part.micros.begin(), part.micros.end());
  }
  if (all.micros.empty()) {
    Check(rocksdb::Status::Aborted("no reads", "more --seconds are needed"));
  }
  return all;
}

// A line of the results; `numbers` are a median and quartiles.
void Print(const std::string& filter, const std::string& quantity,
           const std::string& numbers) {
  absl::PrintF("%s, threads %u, at %g, %d.%d.%d\t%s\t%s\t%s\n",
               absl::GetFlag(FLAGS_workload), absl::GetFlag(FLAGS_threads),
               absl::GetFlag(FLAGS_load), ROCKSDB_MAJOR, ROCKSDB_MINOR,
               ROCKSDB_PATCH, filter, quantity, numbers);
}

void PrintPercentile(double percent, const std::vector<RocksDBFilter>& filters,
                     std::vector<std::vector<Latencies>>* runs) {
  std::vector<std::vector<double>> micros(filters.size());
  for (size_t i = 0; i < filters.size(); ++i) {
    for (Latencies& run : (*runs)[i]) {
      micros[i].push_back(Percentile(percent / 100, &run.micros));
    }
  }
  const auto numbers = [](const Spread& spread, int digits) {
    return absl::StrFormat("%.*f\t%.*f\t%.*f", digits, spread.median, digits,
                           spread.lower, digits, spread.upper);
  };
  const Spread chance = SpreadOfRatios(micros[1], micros[0]);
  for (size_t i = 0; i < filters.size(); ++i) {
    const Spread ratio = SpreadOfRatios(micros[i], micros[0]);
    Print(filters[i].name, absl::StrFormat("p%g, us", percent),
          numbers(SpreadOf(micros[i]), 1));
    if (i == 0) continue;
    Print(filters[i].name, absl::StrFormat("p%g of Bloom", percent),
          i > 1 && IsChance(ratio, chance) ? "none\t\t" : numbers(ratio, 2));
  }
}

absl::Status Run(const std::string& directory) {
  const Workload& workload = *WorkloadOfFlag();
  const std::vector<RocksDBFilter> filters = Filters();
  std::string databases = absl::GetFlag(FLAGS_databases);
  if (databases.empty()) databases = directory + "/databases";
  absl::StrAppend(&databases, "/", absl::GetFlag(FLAGS_keys), "-keys");
  MakeDatabases(databases, SizesOfFlags(), filters);
  const double rate =
      absl::GetFlag(FLAGS_load) *
      RunOnce(workload, databases, filters[0], 0).requests_per_second;
  Print("all", "requests/s", absl::StrFormat("%.0f\t\t", rate));
  std::vector<std::vector<Latencies>> runs(filters.size());
  for (size_t round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    for (size_t turn = 0; turn < filters.size(); ++turn) {
      // Each round starts with another filter.
      const size_t i = (turn + round) % filters.size();
      runs[i].push_back(RunOnce(workload, databases, filters[i], rate));
    }
  }
  for (size_t i = 0; i < filters.size(); ++i) {
    Print(filters[i].name, "bits per key",
          absl::StrFormat("%.2f\t\t", runs[i][0].bits_per_key));
  }
  for (const double percent : {50.0, 99.0, 99.9}) {
    PrintPercentile(percent, filters, &runs);
  }
  return absl::OkStatus();
}

std::string FlagError() {
  if (WorkloadOfFlag() == nullptr) {
    return "--workload must be readwhilewriting, A, B or C";
  }
  const double load = absl::GetFlag(FLAGS_load);
  if (!(load > 0 && load < 1)) return "--load must be between 0 and 1";
  const double absent = absl::GetFlag(FLAGS_absent);
  if (!(absent > 0 && absent <= 1)) return "--absent must be above 0, up to 1";
  if (absl::GetFlag(FLAGS_keys) < 100000) {
    return "--keys must be 100000 or more";
  }
  return absl::GetFlag(FLAGS_threads) > 0 && absl::GetFlag(FLAGS_rounds) > 0 &&
                 absl::GetFlag(FLAGS_cache_mb) > 0 &&
                 absl::GetFlag(FLAGS_seconds) > 0 &&
                 absl::GetFlag(FLAGS_writes) > 0
             ? ""
             : "all numbers must be above 0";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures reads at a fixed rate of requests, beside writes.",
       "oneline-load", oneline::FlagError, oneline::Run},
      argc, argv);
}
