#include "bench/databases/rocksdb_database.h"

#include <rocksdb/cache.h>
#include <rocksdb/metadata.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {
namespace {

// More than any flush has, so flushes happen only where Load asks for them.
constexpr size_t kWriteBufferBytes = size_t{2} << 30;
constexpr size_t kBatch = 1000;
constexpr size_t kMaxKeysAtOnce = 32;

}  // namespace

RocksDBDatabase::RocksDBDatabase(std::string name, Settings settings)
    : Database(std::move(name)), settings_(std::move(settings)) {
  options_.create_if_missing = true;
  options_.disable_auto_compactions = true;
  // Later versions of RocksDB would move the levels down to the last one.
  options_.level_compaction_dynamic_level_bytes = false;
  options_.write_buffer_size = kWriteBufferBytes;
  // With one writer a memtable inserts sorted keys in constant time.
  options_.allow_concurrent_memtable_write = false;
  if (settings_.prefix_bytes > 0) {
    options_.prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(settings_.prefix_bytes));
  }
  options_.statistics = rocksdb::CreateDBStatistics();
  // Only counters, because timers would slow lookups down.
  options_.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
}

absl::Status RocksDBDatabase::Error(const rocksdb::Status& status) const {
  return Error(status.ToString());
}

absl::Status RocksDBDatabase::Open(const Reads& reads) {
  db_.reset();
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = settings_.filter;
  table.block_cache = rocksdb::NewLRUCache(reads.block_cache_bytes);
  // Filters and indexes stay in memory with their table (the default). In the
  // block cache they would evict blocks, and larger filters would evict more.
  table.cache_index_and_filter_blocks = false;
  // RocksDB's filters have the bits per key that are asked for.
  table.optimize_filters_for_memory = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.use_direct_reads = reads.direct;
  const rocksdb::Status status =
      rocksdb::DB::Open(options_, settings_.directory, OpenInto(&db_));
  return status.ok() ? absl::OkStatus() : Error(status);
}

// Sets the options by which a filter policy knows the ratio between the sizes
// of levels. With compactions turned off they have no other effect.
void RocksDBDatabase::Describe(const FixedTree& tree) {
  std::map<int, double> share_of_level;
  for (const Generation& generation : tree.generations) {
    share_of_level[generation.level] +=
        generation.num_flushes * generation.share_of_flush;
  }
  const double last = share_of_level.rbegin()->second;
  const double flush = tree.generations.back().share_of_flush;
  const int ratios = static_cast<int>(share_of_level.size()) - 2;
  options_.max_bytes_for_level_base =
      static_cast<uint64_t>(kWriteBufferBytes * share_of_level[1] / flush);
  options_.max_bytes_for_level_multiplier =
      ratios < 1 ? 10 : std::pow(last / share_of_level[1], 1.0 / ratios);
}

absl::StatusOr<WriteCost> RocksDBDatabase::Load(const Records& records,
                                                const LoadPlan& plan,
                                                Progress* progress) {
  WriteCost cost;
  Describe(plan.tree);
  absl::Status status = Open(Reads{});
  size_t flush = 0;
  for (const Generation& generation : plan.tree.generations) {
    const Stopwatch flushing(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < generation.num_flushes && status.ok(); ++i, ++flush) {
      status = WriteFlush(records, plan, flush, progress);
    }
    cost.flushes += flushing.Elapsed();
    const Stopwatch compacting(CLOCK_PROCESS_CPUTIME_ID);
    if (generation.level > 0 && status.ok()) {
      status = CompactInto(generation.level, plan.tree.table_bytes, progress);
    }
    cost.compactions += compacting.Elapsed();
  }
  Close();
  if (!status.ok()) return status;
  return cost;
}

absl::Status RocksDBDatabase::WriteFlush(const Records& records,
                                         const LoadPlan& plan, size_t flush,
                                         Progress* progress) {
  rocksdb::WriteOptions options;
  // A crash loses nothing of value.
  options.disableWAL = plan.arrival == Arrival::kSorted;
  rocksdb::WriteBatch batch;
  rocksdb::Status status;
  for (const uint32_t i : plan.flushes[flush]) {
    status = batch.Put(records.key(i), records.value(i));
    if (status.ok() && batch.Count() == kBatch) {
      status = db_->Write(options, &batch);
      progress->Advance(kBatch);
      batch.Clear();
    }
    if (!status.ok()) break;
  }
  if (status.ok()) status = db_->Write(options, &batch);
  if (status.ok()) status = db_->Flush(rocksdb::FlushOptions());
  progress->Advance(batch.Count());
  return status.ok() ? absl::OkStatus() : Error(status);
}

absl::Status RocksDBDatabase::CompactInto(int level, uint64_t table_bytes,
                                          Progress* progress) {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::vector<std::string> files;
  uint64_t entries = 0;
  for (const rocksdb::SstFileMetaData& file : tree.levels[0].files) {
    files.push_back(file.name);
    entries += file.num_entries;
  }
  if (files.empty()) return absl::OkStatus();  // of very few records
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kDisableCompressionOption;  // as flushes do
  options.output_file_size_limit = table_bytes;
  const rocksdb::Status status = db_->CompactFiles(options, files, level);
  progress->Advance(entries);
  return status.ok() ? absl::OkStatus() : Error(status);
}

absl::Status RocksDBDatabase::OpenForLookups(const Reads& reads) {
  absl::Status status = Open(reads);
  if (status.ok()) {
    ReadShape();
    status = CheckFilters();
  }
  if (status.ok() && reads.warm) status = ReadAllBlocks();
  if (status.ok()) TakeCounts();
  return status;
}

absl::Status RocksDBDatabase::ReadAllBlocks() {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> all(db_->NewIterator(options));
  for (all->SeekToFirst(); all->Valid(); all->Next()) {
  }
  return all->status().ok() ? absl::OkStatus() : Error(all->status());
}

void RocksDBDatabase::ReadShape() {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  tables_.clear();
  entries_ = 0;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      tables_.emplace_back(level.level, file.num_entries, file.smallestkey,
                           file.largestkey);
      entries_ += file.num_entries;
    }
  }
}

absl::Status RocksDBDatabase::CheckFilters() {
  rocksdb::TablePropertiesCollection tables;
  const rocksdb::Status status = db_->GetPropertiesOfAllTables(&tables);
  if (!status.ok()) return Error(status);
  const std::string wanted = has_filter() ? settings_.filter->Name() : "";
  filter_bytes_ = 0;
  for (const auto& [file, properties] : tables) {
    const absl::Status added = AddFilter(
        file, properties->filter_size, properties->filter_policy_name, wanted);
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

absl::Status RocksDBDatabase::Get(const Lookup& lookup) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(
      rocksdb::ReadOptions(), db_->DefaultColumnFamily(), lookup.key, &value);
  if (status.ok()) return CheckAnswer(lookup, value.ToStringView());
  return status.IsNotFound() ? CheckAnswer(lookup, {}) : Error(status);
}

absl::Status RocksDBDatabase::MultiGet(const Lookup* lookups, size_t count) {
  assert(count <= kMaxKeysAtOnce);
  std::array<rocksdb::Slice, kMaxKeysAtOnce> keys;
  std::array<rocksdb::PinnableSlice, kMaxKeysAtOnce> values;
  std::array<rocksdb::Status, kMaxKeysAtOnce> statuses;
  for (size_t i = 0; i < count; ++i) keys[i] = lookups[i].key;
  db_->MultiGet(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), count,
                keys.data(), values.data(), statuses.data());
  for (size_t i = 0; i < count; ++i) {
    absl::Status status;
    if (statuses[i].ok()) {
      status = CheckAnswer(lookups[i], values[i].ToStringView());
    } else if (statuses[i].IsNotFound()) {
      status = CheckAnswer(lookups[i], {});
    } else {
      status = Error(statuses[i]);
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status RocksDBDatabase::SeekPrefix(const Lookup& lookup) {
  rocksdb::ReadOptions options;
  options.prefix_same_as_start = true;
  const std::unique_ptr<rocksdb::Iterator> found(db_->NewIterator(options));
  found->Seek(lookup.key);
  if (found->Valid()) return CheckAnswer(lookup, found->value().ToStringView());
  return found->status().ok() ? CheckAnswer(lookup, {})
                              : Error(found->status());
}

LookupCounts RocksDBDatabase::TakeCounts() {
  const auto take = [this](rocksdb::Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  };
  LookupCounts counts;
  counts.skipped = take(rocksdb::BLOOM_FILTER_USEFUL);
  counts.checks = counts.skipped + take(rocksdb::BLOOM_FILTER_FULL_POSITIVE) +
                  take(rocksdb::BLOOM_FILTER_PREFIX_CHECKED);
  counts.skipped += take(rocksdb::BLOOM_FILTER_PREFIX_USEFUL);
#if ONELINE_HAS_SEEK_TICKERS
  // Seeks have tickers of their own.
  const uint64_t seeks = take(rocksdb::LAST_LEVEL_SEEK_FILTERED) +
                         take(rocksdb::NON_LAST_LEVEL_SEEK_FILTERED);
  counts.checks += seeks + take(rocksdb::LAST_LEVEL_SEEK_FILTER_MATCH) +
                   take(rocksdb::NON_LAST_LEVEL_SEEK_FILTER_MATCH);
  counts.skipped += seeks;
#endif
  counts.true_positives = take(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  counts.block_reads = take(rocksdb::BLOCK_CACHE_DATA_MISS);
  return counts;
}

}  // namespace oneline
