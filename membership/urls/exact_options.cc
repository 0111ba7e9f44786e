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

constexpr size_t kMiB = size_t{1} << 20;

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
// each other. A shard of RocksDB's default, 512 KiB, would never keep a filter.
int CacheShardBits(size_t memory) {
  int bits = 0;
  while (bits < 4 && memory >> (bits + 1) >= 16 * kMiB) ++bits;
  return bits;
}

rocksdb::ColumnFamilyOptions FamilyWithin(
    size_t memory, const rocksdb::BlockBasedTableOptions& table) {
  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  // Eight memtables of 4 MiB make a file. Each is sorted within the processor's
  // caches, which is faster than sorting 32 MiB at once.
  constexpr int kBuffersPerFile = 8;
  family.write_buffer_size = std::min(memory / 4 / kBuffersPerFile, 4 * kMiB);
  family.min_write_buffer_number_to_merge = kBuffersPerFile;
  family.max_write_buffer_number = 2 * kBuffersPerFile;
  // A filter is built and read as a whole: that of 16 MiB has 0.8 MB.
  family.target_file_size_base = std::min(memory / 16, 16 * kMiB);
  family.max_bytes_for_level_base = memory;
  family.level_compaction_dynamic_level_bytes = true;
  return family;
}

}  // namespace

UrlDatabaseOptions OptionsWithin(
    size_t memory_bytes, std::shared_ptr<rocksdb::Statistics> statistics) {
  UrlDatabaseOptions options;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache =
      rocksdb::NewLRUCache(memory_bytes, CacheShardBits(memory_bytes));
  // All memory is then taken from the cache, whose size is limited.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  options.others = FamilyWithin(memory_bytes, table);

  table.filter_policy.reset(
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName));
  rocksdb::ColumnFamilyOptions& seen = options.seen;
  seen = FamilyWithin(memory_bytes, table);
  seen.compression = rocksdb::kNoCompression;  // digests do not compress
  // Lookups and writes of whole keys need no order, so memtables are hash
  // tables, which another thread sorts when they become a file. The prefix that
  // chooses the bucket is the whole key. A bucket has two entries, 128 bytes.
  seen.prefix_extractor.reset(
      rocksdb::NewFixedPrefixTransform(sizeof(UrlDigest)));
  seen.memtable_factory.reset(
      rocksdb::NewHashLinkListRepFactory(seen.write_buffer_size / 128));
  // Lookups of new URLs then need not search the memtable.
  seen.memtable_whole_key_filtering = true;
  seen.memtable_prefix_bloom_size_ratio = 0.05;

  rocksdb::DBOptions& db = options.database;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.statistics = std::move(statistics);
  db.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(
      memory_bytes / 2, table.block_cache);
  db.allow_concurrent_memtable_write = false;  // there is one writer
  db.max_background_jobs = 2;
  db.max_open_files = 1000;
  // Every log has entries of the state's column family, which is hardly ever
  // flushed: without a limit all logs would be kept.
  db.max_total_wal_size = 64 * kMiB;
  // A full disk must end the program with an error: see NoLog.
  db.listeners.push_back(std::make_shared<NoRecovery>());
  db.info_log = std::make_shared<NoLog>();
  return options;
}

}  // namespace oneline
