#include "membership/urls/exact_url_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/memtablerep.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <utility>

#include "membership/urls/url_digest.h"
#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

// A shard of the cache, at least. One of RocksDB's usual 512 KiB would never
// keep a filter.
constexpr size_t kLeastShard = size_t{16} << 20;
// Memtables of 4 MiB, which are sorted in the processor's caches, eight of
// which make a file: that is quicker than to sort 32 MiB at once.
constexpr size_t kMostWriteBuffer = size_t{4} << 20;
constexpr int kWriteBuffersOfFile = 8;
// Bytes of a memtable for each of its buckets: the room of two entries.
constexpr size_t kBytesOfBucket = 128;
// A file's filter is built and read whole: here of 600,000 digests, 0.8 MB, and
// not of the four times as many of RocksDB's usual 64 MB.
constexpr size_t kMostFile = size_t{16} << 20;

// Two threads look things up and others compact: more shards, less waiting.
int CacheShardBits(size_t memory) {
  int bits = 0;
  while (bits < 4 && memory >> (bits + 1) >= kLeastShard) ++bits;
  return bits;
}

rocksdb::BlockBasedTableOptions TablesWith(
    const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // So that all memory is the cache's, and so bounded.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  return table;
}

rocksdb::ColumnFamilyOptions FamilyWithin(size_t memory) {
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size =
      std::min(memory / 4 / kWriteBuffersOfFile, kMostWriteBuffer);
  family.min_write_buffer_number_to_merge = kWriteBuffersOfFile;
  family.max_write_buffer_number = 2 * kWriteBuffersOfFile;
  family.target_file_size_base = std::min(memory / 16, kMostFile);
  family.max_bytes_for_level_base = memory;
  family.level_compaction_dynamic_level_bytes = true;
  return family;
}

rocksdb::ColumnFamilyOptions SeenWithin(
    size_t memory, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions family = FamilyWithin(memory);
  rocksdb::BlockBasedTableOptions table = TablesWith(cache);
  table.filter_policy = NewRocksDBFilterPolicy({});
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.compression = rocksdb::kNoCompression;  // of digests
  // Lookups and writes, which are of whole keys, need no order; a list is
  // sorted when it becomes a file, by another thread. RocksDB calls what
  // buckets go by a prefix.
  family.prefix_extractor.reset(
      rocksdb::NewFixedPrefixTransform(sizeof(UrlDigest)));
  family.memtable_factory.reset(rocksdb::NewHashLinkListRepFactory(
      family.write_buffer_size / kBytesOfBucket));
  // New URLs don't even search the memtable.
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
  // The state is written to each log and hardly ever to a file, and would keep
  // all logs.
  db.max_total_wal_size = size_t{64} << 20;
  db.keep_log_file_num = 2;
  return options;
}

}  // namespace oneline
