// Makes the databases of refilter_bench.sh, and compacts them.
//
//   refilter_bench make PATH COMPRESSION LEVELS BYTES VALUE_BYTES
//   refilter_bench compact PATH JOBS kForce|kForceOptimized
//
// `make` writes BYTES of keys and values, which are records in JSON, with
// RocksDB's Bloom filters: into the last level, or with three levels also newer
// versions of a tenth and of a hundredth of the keys into the two above.
// `compact` gives all tables our filters by CompactRange.

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/random_key.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

constexpr int kLastLevel = 6;
constexpr uint64_t kKeyBytes = 20;

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

std::string KeyNumber(uint64_t i) {
  const std::string number = std::to_string(i);
  return "user" + std::string(kKeyBytes - 4 - number.size(), '0') + number;
}

rocksdb::Options OptionsWith(
    std::shared_ptr<const rocksdb::FilterPolicy> policy) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = std::move(policy);
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  return options;
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

std::unique_ptr<rocksdb::DB> Open(const std::string& path,
                                  const rocksdb::Options& options) {
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, path, OpenInto(&db)));
  return db;
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
         uint64_t levels, uint64_t bytes, uint64_t value_bytes) {
  rocksdb::Options options =
      OptionsWith(std::shared_ptr<const rocksdb::FilterPolicy>(
          rocksdb::NewBloomFilterPolicy(10, false)));
  Check(rocksdb::GetColumnFamilyOptionsFromString(
      options, "compression=" + compression, &options));
  const std::unique_ptr<rocksdb::DB> db = Open(path, options);
  const uint64_t keys = bytes / (kKeyBytes + value_bytes);
  uint64_t step = 1;
  for (uint64_t i = 0; i < levels; ++i, step *= 10) {
    WriteLevel(*db, keys, value_bytes, step, kLastLevel - static_cast<int>(i));
  }
  Check(db->Close());
  return 0;
}

int Compact(const std::string& path, uint32_t jobs, const std::string& how) {
  rocksdb::Options options;
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  Check(rocksdb::LoadLatestOptions(rocksdb::ConfigOptions(), path, &db_options,
                                   &families));
  options = rocksdb::Options(db_options, families[0].options);
  auto* const table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table->filter_policy = NewRocksDBFilterPolicy(FilterOptions());
  options.max_background_jobs = static_cast<int>(jobs) + 1;
  options.max_subcompactions = jobs;
  const std::unique_ptr<rocksdb::DB> db = Open(path, options);
  rocksdb::CompactRangeOptions compact;
  compact.max_subcompactions = jobs;
  compact.bottommost_level_compaction =
      how == "kForce" ? rocksdb::BottommostLevelCompaction::kForce
                      : rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(db->CompactRange(compact, nullptr, nullptr));
  Check(db->Close());
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 6 && words[0] == "make") {
    return oneline::Make(words[1], words[2], std::stoull(words[3]),
                         std::stoull(words[4]), std::stoull(words[5]));
  }
  if (words.size() == 4 && words[0] == "compact") {
    return oneline::Compact(
        words[1], static_cast<uint32_t>(std::stoul(words[2])), words[3]);
  }
  std::fprintf(stderr, "usage: see refilter_bench.sh\n");
  return 2;
}
