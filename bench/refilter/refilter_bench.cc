// Makes the databases of refilter_bench.sh, compacts them, and reads them.
//
//   refilter_bench make PATH COMPRESSION MEGABYTES VALUE_BYTES
//   refilter_bench compact PATH JOBS [READAHEAD]
//   refilter_bench read PATH SECONDS [RATE]
//   refilter_bench refilter PATH POLICY
//
// `make` writes so many megabytes of keys and values, which are JSON, with
// RocksDB's Bloom filters, into three levels. `compact` gives all tables our
// filters by CompactRange, which reads READAHEAD bytes at a time, or as the
// version of RocksDB does by default. `read` looks up random keys, of which
// every second is absent, in one thread, and prints p50 and p99 in microseconds
// and lookups per second. With RATE, Refilter runs beside it, reads so many
// bytes per second, 0 for no limit, and reading ends when it is done.
// `refilter` gives all tables of a server's database the filters of a policy,
// without what only the server has, such as its compaction filters: for
// bench/engines/.

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/databases/database.h"
#include "bench/keys/data_set.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measuring_program.h"
#include "bench/measure/random_key.h"
#include "bench/measure/spread.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"

namespace oneline {
namespace {

constexpr char kOurs[] = "oneline:10";

void Make(const std::string& path, const std::string& compression,
          uint64_t megabytes, uint64_t value_bytes) {
  rocksdb::Options options = PlannedOptions();
  Check(rocksdb::GetColumnFamilyOptionsFromString(
      options, "compression=" + compression, &options));
  const uint64_t keys = megabytes * 1000000 / (sizeof(Key) + value_bytes);
  const DataSet data = RandomDataSet(keys, value_bytes, 0, Values::kJson);
  FixedTree tree = BottomHeavyTree(keys);
  tree.table_bytes = options.target_file_size_base;
  Progress progress(stderr);
  Database database(path, {"RocksDB's Bloom", "bloomfilter:10:false"}, options);
  database.Load(*data.records, PlanLoad(tree, keys, 1), &progress);
}

// A database with its own options and column families, but with the filters of
// `policy` for new tables.
struct Opened {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> families;

  ~Opened() {
    for (rocksdb::ColumnFamilyHandle* family : families) {
      Check(db->DestroyColumnFamilyHandle(family));
    }
    Check(db->Close());
  }
};

void OpenWith(const std::string& policy, const std::string& path,
              int background_jobs, Opened* opened) {
  rocksdb::DBOptions options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  Check(rocksdb::LoadLatestOptions(rocksdb::ConfigOptions(), path, &options,
                                   &families));
  options.max_background_jobs = background_jobs;
  for (rocksdb::ColumnFamilyDescriptor& family : families) {
    family.options.disable_auto_compactions = true;
    family.options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
        ->filter_policy = NewPolicy(policy);
  }
  Check(rocksdb::DB::Open(options, path, families, &opened->families,
                          OpenInto(&opened->db)));
}

void Compact(const std::string& path, uint32_t jobs,
             const std::string& readahead) {
  Opened opened;
  OpenWith(kOurs, path, static_cast<int>(jobs) + 1, &opened);
  if (!readahead.empty()) {
    Check(opened.db->SetDBOptions({{"compaction_readahead_size", readahead}}));
  }
  rocksdb::CompactRangeOptions compact;
  compact.max_subcompactions = jobs;
  compact.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(opened.db->CompactRange(compact, nullptr, nullptr));
}

void RefilterServer(const std::string& path, const std::string& policy) {
  Opened opened;
  OpenWith(policy, path, 2, &opened);
  RefilterOptions options;
  options.column_families = opened.families;
  options.bytes_per_second = 0;
  Check(Refilter(opened.db.get(), options, nullptr));
}

void Read(const std::string& path, double seconds, const uint64_t* rate) {
  Opened opened;
  OpenWith(kOurs, path, 2, &opened);
  rocksdb::DB* const db = opened.db.get();
  uint64_t keys = 0;
  if (!db->GetIntProperty(rocksdb::DB::Properties::kEstimateNumKeys, &keys) ||
      keys == 0) {
    Fail(path + " has no keys");
  }
  std::atomic<bool> is_done{false};
  std::unique_ptr<RefilterThread> refilter;
  if (rate != nullptr) {
    RefilterOptions options;
    options.bytes_per_second = *rate;
    refilter = std::make_unique<RefilterThread>(
        db, options, [&](const rocksdb::Status& status, const RefilterReport&) {
          if (!status.IsIncomplete()) Check(status);  // it was stopped
          is_done = true;
        });
  }
  Random random;
  std::string value;
  std::vector<float> micros;
  const double begun = SecondsOf(CLOCK_MONOTONIC);
  double before = begun;
  while (!is_done && before < begun + seconds) {
    const bool is_absent = micros.size() % 2 == 0;
    const Key key(2 * (random.Next() % keys) + (is_absent ? 1 : 0));
    const rocksdb::Status status =
        db->Get({}, {key.bytes, sizeof(key.bytes)}, &value);
    const double after = SecondsOf(CLOCK_MONOTONIC);
    micros.push_back(static_cast<float>(1e6 * (after - before)));
    before = after;
    if (!status.IsNotFound()) Check(status);
    if (status.ok() == is_absent) Fail("a wrong answer");
  }
  const double lookups = static_cast<double>(micros.size()) / (before - begun);
  refilter.reset();
  std::printf("%.2f\t%.2f\t%.0f\n", Percentile(0.50, &micros),
              Percentile(0.99, &micros), lookups);
}

int Main(const std::vector<std::string>& words) {
  const size_t n = words.size();
  const std::string what = n < 3 ? "" : words[0];
  if (what == "make" && n == 5) {
    Make(words[1], words[2], std::stoull(words[3]), std::stoull(words[4]));
  } else if (what == "compact" && n <= 4) {
    Compact(words[1], static_cast<uint32_t>(std::stoul(words[2])),
            n == 4 ? words[3] : "");
  } else if (what == "read" && n <= 4) {
    const uint64_t rate = n == 4 ? std::stoull(words[3]) : 0;
    Read(words[1], std::stod(words[2]), n == 4 ? &rate : nullptr);
  } else if (what == "refilter" && n == 3) {
    RefilterServer(words[1], words[2]);
  } else {
    std::fprintf(stderr, "usage: see refilter_bench.cc\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::Main(std::vector<std::string>(argv + 1, argv + argc));
}
