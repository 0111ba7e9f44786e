// Makes the databases of refilter_bench.sh, compacts them, and reads them.
//
//   refilter_bench make PATH COMPRESSION BYTES VALUE_BYTES
//   refilter_bench compact PATH JOBS [READAHEAD]
//   refilter_bench read PATH SECONDS [RATE]
//   refilter_bench refilter PATH POLICY
//
// `make` writes BYTES of keys and values, which are records in JSON, with
// RocksDB's Bloom filters: into the last level, and newer versions of a tenth
// and of a hundredth of the keys into the two above. `compact` gives all tables
// our filters by CompactRange, which reads READAHEAD bytes at a time, or as the
// version of RocksDB does by default. `read` looks up random keys, of which
// every second is absent, in one thread, and prints p50 and p99 in microseconds
// and lookups per second. With RATE, Refilter runs beside it, reads so many
// bytes per second, 0 for no limit, and reading ends when it is done.
// `refilter` gives all tables of a server's database the filters of a policy,
// without what only the server has, such as its compaction filters: for
// bench/engines/.

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/random_key.h"
#include "bench/measure/spread.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"

namespace oneline {
namespace {

constexpr int kLastLevel = 6;
constexpr int kLevels = 3;
constexpr uint64_t kKeyBytes = 20;
constexpr char kOurs[] = "oneline:10";

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

std::string KeyNumber(uint64_t i) {
  const std::string number = std::to_string(i);
  return "user" + std::string(kKeyBytes - 4 - number.size(), '0') + number;
}

std::string Record(Random& random) {
  const auto letters = [&] {
    std::string word(8, 'a');
    uint64_t drawn = random.Next();
    for (char& c : word) {
      c = static_cast<char>(c + drawn % 26);
      drawn /= 26;
    }
    return word;
  };
  char record[200];
  const int bytes = std::snprintf(
      record, sizeof(record),
      "{\"user\":\"%s\",\"mail\":\"%s@example.org\",\"at\":%llu,\"size\":%6llu,"
      "\"ok\":true,\"from\":\"web\"}",
      letters().c_str(), letters().c_str(),
      1700000000 + static_cast<unsigned long long>(random.Next() % 100000000),
      static_cast<unsigned long long>(random.Next() % 1000000));
  return {record, static_cast<size_t>(bytes)};
}

// Every `step`-th of the keys, in order, as tables of `level`.
void WriteLevel(rocksdb::DB& db, uint64_t keys, uint64_t value_bytes,
                uint64_t step, int level) {
  rocksdb::WriteOptions write;
  write.disableWAL = true;
  Random random(step);
  for (uint64_t i = 0; i < keys; i += step) {
    std::string value;
    while (value.size() < value_bytes) value += Record(random);
    value.resize(value_bytes);
    Check(db.Put(write, KeyNumber(i), value));
  }
  Check(db.Flush({}));
  rocksdb::ColumnFamilyMetaData tree;
  db.GetColumnFamilyMetaData(&tree);
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  rocksdb::CompactionOptions compact;
  compact.compression = rocksdb::kDisableCompressionOption;  // the options'
  compact.output_file_size_limit = db.GetOptions().target_file_size_base;
  Check(db.CompactFiles(compact, files, level));
}

int Make(const std::string& path, const std::string& compression,
         uint64_t bytes, uint64_t value_bytes) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  Check(rocksdb::GetColumnFamilyOptionsFromString(
      options, "compression=" + compression, &options));
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, path, OpenInto(&db)));
  const uint64_t keys = bytes / (kKeyBytes + value_bytes);
  uint64_t step = 1;
  for (int i = 0; i < kLevels; ++i, step *= 10) {
    WriteLevel(*db, keys, value_bytes, step, kLastLevel - i);
  }
  Check(db->Close());
  return 0;
}

// A database with its own options and column families, but with the filters of
// `policy` for new tables.
struct Opened {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> families;

  int Close() {
    for (rocksdb::ColumnFamilyHandle* family : families) {
      Check(db->DestroyColumnFamilyHandle(family));
    }
    Check(db->Close());
    return 0;
  }
};

Opened OpenWith(const std::string& policy, const std::string& path,
                int background_jobs) {
  rocksdb::DBOptions options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  Check(rocksdb::LoadLatestOptions(rocksdb::ConfigOptions(), path, &options,
                                   &families));
  options.max_background_jobs = background_jobs;
  for (rocksdb::ColumnFamilyDescriptor& family : families) {
    family.options.disable_auto_compactions = true;
    Check(rocksdb::FilterPolicy::CreateFromString(
        rocksdb::ConfigOptions(), policy,
        &family.options.table_factory
             ->GetOptions<rocksdb::BlockBasedTableOptions>()
             ->filter_policy));
  }
  Opened opened;
  Check(rocksdb::DB::Open(options, path, families, &opened.families,
                          OpenInto(&opened.db)));
  return opened;
}

int Compact(const std::string& path, uint32_t jobs,
            const std::string& readahead) {
  Opened opened = OpenWith(kOurs, path, static_cast<int>(jobs) + 1);
  if (!readahead.empty()) {
    Check(opened.db->SetDBOptions({{"compaction_readahead_size", readahead}}));
  }
  rocksdb::CompactRangeOptions compact;
  compact.max_subcompactions = jobs;
  compact.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(opened.db->CompactRange(compact, nullptr, nullptr));
  return opened.Close();
}

int RefilterServer(const std::string& path, const std::string& policy) {
  Opened opened = OpenWith(policy, path, 2);
  RefilterOptions options;
  options.column_families = opened.families;
  options.bytes_per_second = 0;
  Check(Refilter(opened.db.get(), options, nullptr));
  return opened.Close();
}

// The number after the last key, from which `make` wrote the keys.
uint64_t NumberOfKeys(rocksdb::DB* db) {
  const std::unique_ptr<rocksdb::Iterator> last(db->NewIterator({}));
  last->SeekToLast();
  Check(last->status());
  return std::stoull(last->key().ToString().substr(4)) + 1;
}

int Read(const std::string& path, double seconds, const uint64_t* rate) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  Opened opened = OpenWith(kOurs, path, 2);
  rocksdb::DB* const db = opened.db.get();
  const uint64_t keys = NumberOfKeys(db);
  std::atomic<bool> is_done{false};
  std::unique_ptr<RefilterThread> refilter;
  if (rate != nullptr) {
    RefilterOptions options;
    options.bytes_per_second = *rate;
    refilter = std::make_unique<RefilterThread>(
        db, options,
        [&](const rocksdb::Status& status, const RefilterReport& report) {
          is_done = true;
          std::fprintf(
              stderr, "%s: %llu tables rewritten\n", status.ToString().c_str(),
              static_cast<unsigned long long>(report.tables_rewritten));
        });
  }
  Random random;
  std::string value;
  std::vector<float> micros;
  const auto begin = Clock::now();
  while (!is_done && since(begin) < seconds) {
    // A letter makes the key absent.
    const std::string key =
        KeyNumber(random.Next() % keys) + (micros.size() % 2 == 0 ? "" : "x");
    const auto asked = Clock::now();
    const rocksdb::Status status = db->Get({}, key, &value);
    micros.push_back(static_cast<float>(1e6 * since(asked)));
    if (!status.IsNotFound()) Check(status);
  }
  const double lookups = static_cast<double>(micros.size()) / since(begin);
  refilter.reset();
  std::printf("%.2f\t%.2f\t%.0f\n", Percentile(0.50, &micros),
              Percentile(0.99, &micros), lookups);
  return opened.Close();
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 5 && words[0] == "make") {
    return oneline::Make(words[1], words[2], std::stoull(words[3]),
                         std::stoull(words[4]));
  }
  if ((words.size() == 3 || words.size() == 4) && words[0] == "compact") {
    return oneline::Compact(words[1],
                            static_cast<uint32_t>(std::stoul(words[2])),
                            words.size() == 4 ? words[3] : "");
  }
  if ((words.size() == 3 || words.size() == 4) && words[0] == "read") {
    const uint64_t rate = words.size() == 4 ? std::stoull(words[3]) : 0;
    return oneline::Read(words[1], std::stod(words[2]),
                         words.size() == 4 ? &rate : nullptr);
  }
  if (words.size() == 3 && words[0] == "refilter") {
    return oneline::RefilterServer(words[1], words[2]);
  }
  std::fprintf(stderr, "usage: see refilter_bench.cc\n");
  return 2;
}
