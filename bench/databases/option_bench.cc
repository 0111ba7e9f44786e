// What an option of the policy costs where RocksDB makes policies anew: calls
// on a database of 40 column families, with an OPTIONS file that names the
// policy of each. Prints the median and the quartiles of each call in
// milliseconds; the second row is the first one again, so what differs between
// these two is chance.
//
// `make measure-options`, or bazel-bin/bench/databases/option_bench
// [--rounds=N]

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/spread.h"
#include "filter_policy/rocksdb/rocksdb_open.h"

ABSL_FLAG(int, rounds, 15, "databases for each policy");

namespace oneline {
namespace {

constexpr int kFamilies = 40;
constexpr const char* kPolicies[] = {"oneline:10", "oneline:10",
                                     "{id=oneline;fp_rate=0.01}"};
constexpr const char* kCalls[] = {"SetOptions", "CreateColumnFamily", "Open"};

struct Times {
  std::vector<double> of_call[std::size(kCalls)];  // milliseconds
};

double MillisecondsOf(const std::function<rocksdb::Status()>& call,
                      rocksdb::Status* status) {
  if (!status->ok()) return 0;
  const Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID);
  *status = call();
  return 1000 * stopwatch.Elapsed().wall_seconds;
}

rocksdb::Status Measure(const std::string& policy, const std::string& path,
                        Times* times) {
  rocksdb::BlockBasedTableOptions table;
  rocksdb::Status status = rocksdb::FilterPolicy::CreateFromString(
      rocksdb::ConfigOptions(), policy, &table.filter_policy);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  std::unique_ptr<rocksdb::DB> db;
  if (status.ok()) status = rocksdb::DB::Open(options, path, OpenInto(&db));
  for (int i = 0; i < kFamilies && status.ok(); ++i) {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    const double time = MillisecondsOf(
        [&] {
          return db->CreateColumnFamily(options, absl::StrCat("family", i),
                                        &family);
        },
        &status);
    if (i == kFamilies - 1) times->of_call[1].push_back(time);
    if (status.ok()) status = db->DestroyColumnFamilyHandle(family);
  }
  times->of_call[0].push_back(MillisecondsOf(
      [&] {
        return db->SetOptions({{"level0_file_num_compaction_trigger", "9"}});
      },
      &status));
  db.reset();

  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  times->of_call[2].push_back(MillisecondsOf(
      [&] {
        rocksdb::Status loaded = rocksdb::LoadLatestOptions(
            rocksdb::ConfigOptions(), path, &db_options, &families);
        return loaded.ok() ? rocksdb::DB::Open(db_options, path, families,
                                               &handles, OpenInto(&db))
                           : loaded;
      },
      &status));
  for (auto* handle : handles) {
    if (status.ok()) status = db->DestroyColumnFamilyHandle(handle);
  }
  return status;
}

absl::Status Run(const std::string& directory) {
  Times times[std::size(kPolicies)];
  for (int round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    for (size_t i = 0; i < std::size(kPolicies); ++i) {
      const rocksdb::Status status = Measure(
          kPolicies[i], absl::StrCat(directory, "/", round, "-", i), &times[i]);
      if (!status.ok()) return absl::InternalError(status.ToString());
    }
  }
  std::printf("%-28s %-20s %8s %8s %8s\n", "policy of 40 families", "call",
              "lower", "median", "upper");
  for (size_t call = 0; call < std::size(kCalls); ++call) {
    for (size_t i = 0; i < std::size(kPolicies); ++i) {
      const Spread spread = SpreadOf(times[i].of_call[call]);
      std::printf("%-28s %-20s %8.2f %8.2f %8.2f\n", kPolicies[i], kCalls[call],
                  spread.lower, spread.median, spread.upper);
    }
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures calls of RocksDB on 40 column families, by policy.",
       "option_bench",
       [] {
         return absl::GetFlag(FLAGS_rounds) >= 1 ? "" : "--rounds: 1 or more";
       },
       &oneline::Run},
      argc, argv);
}
