#include "membership/urls/exact_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/listener.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "membership/urls/url_digest.h"

namespace oneline {
namespace {

// Of the cache. A shard of RocksDB's default, 512 KiB, would never keep a
// filter.
constexpr size_t kMinShard = size_t{16} << 20;
// Eight memtables of 4 MiB make a file. Each is sorted within the processor's
// caches, which is faster than sorting 32 MiB at once.
constexpr size_t kMaxWriteBuffer = size_t{4} << 20;
constexpr int kWriteBuffersPerFile = 8;
// Memtable bytes per hash bucket: two entries.
constexpr size_t kBytesPerBucket = 128;
// A filter is built and read as a whole. A file of 16 MiB has one of 600,000
// digests, 0.8 MB; with RocksDB's default, 64 MiB, it would be four times that.
constexpr size_t kMaxFile = size_t{16} << 20;

// After an error RocksDB tries to recover, and from 9 on writes wait for that:
// for ever, if the disk stays full. Without recovery they fail.
class NoRecovery : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

// Two threads look up and others compact: with more shards they wait less for
// each other.
int CacheShardBits(size_t memory) {
  int bits = 0;
  while (bits < 4 && memory >> (bits + 1) >= kMinShard) ++bits;
  return bits;
}

rocksdb::BlockBasedTableOptions TablesWith(
    const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // All memory is then taken from the cache, whose size is limited.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  return table;
}

rocksdb::ColumnFamilyOptions FamilyWithin(size_t memory) {
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size =
      std::min(memory / 4 / kWriteBuffersPerFile, kMaxWriteBuffer);
  family.min_write_buffer_number_to_merge = kWriteBuffersPerFile;
  family.max_write_buffer_number = 2 * kWriteBuffersPerFile;
  family.target_file_size_base = std::min(memory / 16, kMaxFile);
  family.max_bytes_for_level_base = memory;
  family.level_compaction_dynamic_level_bytes = true;
  return family;
}

rocksdb::ColumnFamilyOptions SeenWithin(
    size_t memory, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions family = FamilyWithin(memory);
  rocksdb::BlockBasedTableOptions table = TablesWith(cache);
  table.filter_policy.reset(
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName));
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.compression = rocksdb::kNoCompression;  // digests do not compress
  // Lookups and writes of whole keys need no order, so memtables are hash
  // tables, which another thread sorts when they become a file. RocksDB
  // requires a prefix to choose the bucket by: here it is the whole key.
  family.prefix_extractor.reset(
      rocksdb::NewFixedPrefixTransform(sizeof(UrlDigest)));
  family.memtable_factory.reset(rocksdb::NewHashLinkListRepFactory(
      family.write_buffer_size / kBytesPerBucket));
  // Lookups of new URLs then need not search the memtable.
  family.memtable_whole_key_filtering = true;
  family.memtable_prefix_bloom_size_ratio = 0.05;
  return family;
}

}  // namespace

UrlDatabaseOptions OptionsWithin(
    size_t memory_bytes, std::shared_ptr<rocksdb::Statistics> statistics) {
  const std::shared_ptr<rocksdb::Cache> cache =
      rocksdb::NewLRUCache(memory_bytes, CacheShardBits(memory_bytes));
  UrlDatabaseOptions options;
  options.seen = SeenWithin(memory_bytes, cache);
  options.others = FamilyWithin(memory_bytes);
  options.others.table_factory.reset(
      rocksdb::NewBlockBasedTableFactory(TablesWith(cache)));
  rocksdb::DBOptions& db = options.database;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.statistics = std::move(statistics);
  db.write_buffer_manager =
      std::make_shared<rocksdb::WriteBufferManager>(memory_bytes / 2, cache);
  db.allow_concurrent_memtable_write = false;  // there is one writer
  db.max_background_jobs = 2;
  db.max_open_files = 1000;
  // Every log has entries of the state's column family, which is hardly ever
  // flushed: without a limit all logs would be kept.
  db.max_total_wal_size = size_t{64} << 20;
  // A full disk must end the program with an error: see NoLog.
  db.listeners.push_back(std::make_shared<NoRecovery>());
  db.info_log = std::make_shared<NoLog>();
  return options;
}

}  // namespace oneline
