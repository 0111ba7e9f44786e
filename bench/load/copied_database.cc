#include "bench/load/copied_database.h"

#include <rocksdb/cache.h>
#include <rocksdb/metadata.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <tuple>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

Policy PolicyOf(const RocksDBFilter& filter) {
  const absl::StatusOr<Policy> policy = MakePolicy(filter);
  if (policy.ok()) return *policy;
  Check(rocksdb::Status::InvalidArgument(policy.status().ToString()));
  return nullptr;
}

rocksdb::Options OptionsWith(const Policy& policy, const Sizes& sizes) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = policy;
  table.block_cache = rocksdb::NewLRUCache(sizes.cache_bytes);
  // RocksDB's filters have the bits per key that are asked for.
  table.optimize_filters_for_memory = false;
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  options.level_compaction_dynamic_level_bytes = true;
  options.write_buffer_size = sizes.buffer_bytes;
  options.target_file_size_base = 2 * sizes.buffer_bytes;
  options.max_bytes_for_level_base = 4 * sizes.buffer_bytes;
  options.use_direct_reads = true;
  options.use_direct_io_for_flush_and_compaction = true;
  return options;
}

std::unique_ptr<rocksdb::DB> Open(const rocksdb::Options& options,
                                  const std::string& path) {
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, path, OpenInto(&db)));
  return db;
}

// Tables never change, other files may.
void Copy(const std::string& from, const std::string& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& file : fs::directory_iterator(from)) {
    const fs::path copy = to / file.path().filename();
    if (file.path().extension() == ".sst") {
      fs::create_hard_link(file.path(), copy);
    } else {
      fs::copy_file(file.path(), copy);
    }
  }
}

void WaitForCompactions(rocksdb::DB* db) {
  using Properties = rocksdb::DB::Properties;
  uint64_t going_on = 1;
  while (going_on > 0) {
    going_on = 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (const std::string* property :
         {&Properties::kNumRunningFlushes, &Properties::kCompactionPending,
          &Properties::kNumRunningCompactions}) {
      uint64_t number = 0;
      db->GetIntProperty(*property, &number);
      going_on += number;
    }
  }
}

void Load(const std::string& path, const Sizes& sizes) {
  const auto db = Open(OptionsWith(nullptr, sizes), path);
  rocksdb::WriteOptions no_log;
  no_log.disableWAL = true;
  for (uint64_t i = 0; i < sizes.keys; ++i)
    Check(Put(db.get(), no_log, Key(2 * i)));
  Check(db->Flush({}));
  WaitForCompactions(db.get());
  Check(db->Close());
}

// The level, first and last key and number of entries of each table.
using Tree = std::vector<std::tuple<int, std::string, std::string, uint64_t>>;

Tree Refiltered(const std::string& path, const RocksDBFilter& filter,
                const Sizes& sizes) {
  rocksdb::Options options = OptionsWith(PolicyOf(filter), sizes);
  options.disable_auto_compactions = true;
  const auto db = Open(options, path);
  RefilterOptions no_limit;
  no_limit.bytes_per_second = 0;
  Check(Refilter(db.get(), no_limit, nullptr));
  std::vector<rocksdb::LiveFileMetaData> tables;
  db->GetLiveFilesMetaData(&tables);
  Tree tree;
  for (const rocksdb::LiveFileMetaData& table : tables) {
    tree.emplace_back(table.level, table.smallestkey, table.largestkey,
                      table.num_entries);
  }
  std::sort(tree.begin(), tree.end());
  Check(db->Close());
  return tree;
}

}  // namespace

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::_Exit(1);  // while other threads go on
}

rocksdb::Status Put(rocksdb::DB* db, const rocksdb::WriteOptions& options,
                    const Key& key) {
  char value[kValueBytes] = {};
  std::copy(std::begin(key.bytes), std::end(key.bytes), value);
  return db->Put(options, {key.bytes, sizeof(key.bytes)},
                 {value, sizeof(value)});
}

void MakeDatabases(const std::string& directory, const Sizes& sizes,
                   const std::vector<RocksDBFilter>& filters) {
  if (fs::exists(directory)) return;
  // It gets its name when it is complete.
  const std::string unfinished = directory + ".unfinished";
  const std::string loaded = unfinished + "/loaded";
  fs::remove_all(unfinished);
  fs::create_directories(loaded);
  Load(loaded, sizes);
  Tree first;
  for (const RocksDBFilter& filter : filters) {
    const std::string path = unfinished + "/" + filter.name;
    Copy(loaded, path);
    const Tree tree = Refiltered(path, filter, sizes);
    if (first.empty()) first = tree;
    if (tree != first) {
      Check(rocksdb::Status::Corruption(path, "has another tree"));
    }
  }
  fs::remove_all(loaded);
  fs::rename(unfinished, directory);
}

std::unique_ptr<rocksdb::DB> OpenCopy(const std::string& directory,
                                      const RocksDBFilter& filter,
                                      const std::string& path,
                                      const Sizes& sizes) {
  Copy(directory + "/" + filter.name, path);
  rocksdb::Options options = OptionsWith(PolicyOf(filter), sizes);
  options.statistics = rocksdb::CreateDBStatistics();
  // Only counters, because timers would slow lookups down.
  options.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
  return Open(options, path);
}

uint64_t CheckFilters(rocksdb::DB* db, const RocksDBFilter& filter) {
  const std::string wanted = PolicyOf(filter)->Name();
  rocksdb::TablePropertiesCollection tables;
  Check(db->GetPropertiesOfAllTables(&tables));
  uint64_t bytes = 0;
  for (const auto& [file, table] : tables) {
    if (table->filter_policy_name != wanted || table->filter_size == 0) {
      Check(rocksdb::Status::Corruption(file, "has no filter of " + wanted));
    }
    bytes += table->filter_size;
  }
  return bytes;
}

}  // namespace oneline
