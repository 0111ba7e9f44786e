// See path_database.h.

#include "bench/path_database.h"

#include <rocksdb/cache.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

#include <chrono>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

// The tree, from its oldest data to its newest: each level about a tenth of
// the one below, and four tables of L0, which is where RocksDB starts to
// compact. A lookup of a path that is not there meets seven tables.
struct Generation {
  int level;
  int num_flushes;
  double share_of_flush;
};
constexpr Generation kTree[] = {
    {3, 8, 0.1100},
    {2, 2, 0.0450},
    {1, 1, 0.0200},
    {0, 4, 0.0025},
};

// RocksDB's default, but said: a hundredth of the data, so that most blocks
// have to be read again.
constexpr size_t kBlockCacheBytes = size_t{8} << 20;

// More than a flush of the demo's list has: flushes happen only where we ask
// for them.
constexpr size_t kWriteBufferBytes = size_t{2} << 30;

constexpr uint64_t kTableBytes = uint64_t{8} << 20;
constexpr size_t kBatch = 1000;

rocksdb::Slice AsSlice(std::string_view s) { return {s.data(), s.size()}; }
std::string_view AsView(const rocksdb::Slice& s) {
  return {s.data(), s.size()};
}

}  // namespace

std::vector<uint8_t> AssignFlushes(size_t num_paths, uint64_t seed) {
  std::vector<double> share_up_to;
  double sum = 0;
  for (const Generation& generation : kTree) {
    for (int i = 0; i < generation.num_flushes; ++i) {
      share_up_to.push_back(sum += generation.share_of_flush);
    }
  }
  std::mt19937_64 random(seed);
  std::vector<uint8_t> flush_of_path(num_paths);
  for (uint8_t& flush : flush_of_path) {
    const double drawn = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
    while (flush + 1u < share_up_to.size() && drawn >= share_up_to[flush]) {
      ++flush;
    }
  }
  return flush_of_path;
}

uint64_t EntriesWritten(const std::vector<uint8_t>& flush_of_path) {
  size_t compacted_flushes = 0;
  for (const Generation& generation : kTree) {
    if (generation.level > 0) compacted_flushes += generation.num_flushes;
  }
  uint64_t entries = 0;
  for (uint8_t flush : flush_of_path) {
    entries += flush < compacted_flushes ? 2 : 1;
  }
  return entries;
}

PathDatabase::PathDatabase(Options options) : options_(std::move(options)) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = options_.filter;
  table.block_cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  // Filters and indexes stay in memory with their table (the default), not in
  // the block cache, where they would push out blocks, and those of a larger
  // filter more of them.
  table.cache_index_and_filter_blocks = false;
  rocksdb_options_.table_factory.reset(NewBlockBasedTableFactory(table));
  rocksdb_options_.create_if_missing = true;
  rocksdb_options_.disable_auto_compactions = true;
  // Otherwise later versions of RocksDB move the levels down to the last one.
  rocksdb_options_.level_compaction_dynamic_level_bytes = false;
  rocksdb_options_.write_buffer_size = kWriteBufferBytes;
  // Sorted keys go into the memtable in constant time, if it has one writer.
  rocksdb_options_.allow_concurrent_memtable_write = false;
  rocksdb_options_.use_direct_reads = options_.direct_reads;
  rocksdb_options_.statistics = rocksdb::CreateDBStatistics();
  // Counters only: timers would slow the lookups.
  rocksdb_options_.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
}

absl::Status PathDatabase::Error(const std::string& what) const {
  return absl::InternalError(absl::StrCat("database '", name(), "': ", what));
}

absl::Status PathDatabase::Error(const rocksdb::Status& status) const {
  return Error(status.ToString());
}

absl::Status PathDatabase::Open() {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(rocksdb_options_, options_.directory, &db);
  if (!status.ok()) return Error(status);
  db_.reset(db);
  return absl::OkStatus();
}

absl::Status PathDatabase::Load(const PathList& list,
                                const std::vector<uint8_t>& flush_of_path,
                                Progress* progress) {
  absl::Status status = Open();
  size_t flush = 0;
  for (const Generation& generation : kTree) {
    for (int i = 0; i < generation.num_flushes && status.ok(); ++i, ++flush) {
      status = WriteFlush(list, flush_of_path, flush, progress);
    }
    if (generation.level > 0 && status.ok()) {
      status = CompactInto(generation.level, progress);
    }
  }
  db_.reset();
  return status;
}

absl::Status PathDatabase::WriteFlush(const PathList& list,
                                      const std::vector<uint8_t>& flush_of_path,
                                      size_t flush, Progress* progress) {
  rocksdb::WriteOptions options;
  options.disableWAL = true;  // a database that is lost is loaded again
  rocksdb::WriteBatch batch;
  rocksdb::Status status;
  for (size_t i = 0; i < list.size() && status.ok(); ++i) {
    if (flush_of_path[i] != flush) continue;
    status = batch.Put(AsSlice(list.path(i)), AsSlice(list.package(i)));
    if (status.ok() && batch.Count() == kBatch) {
      status = db_->Write(options, &batch);
      progress->Advance(kBatch);
      batch.Clear();
    }
  }
  if (status.ok()) status = db_->Write(options, &batch);
  if (status.ok()) status = db_->Flush(rocksdb::FlushOptions());
  progress->Advance(batch.Count());
  return status.ok() ? absl::OkStatus() : Error(status);
}

absl::Status PathDatabase::CompactInto(int level, Progress* progress) {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::vector<std::string> files;
  uint64_t entries = 0;
  for (const rocksdb::SstFileMetaData& file : tree.levels[0].files) {
    files.push_back(file.name);
    entries += file.num_entries;
  }
  if (files.empty()) return absl::OkStatus();  // of a very short list
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kDisableCompressionOption;  // as flushes do
  options.output_file_size_limit = kTableBytes;
  const rocksdb::Status status = db_->CompactFiles(options, files, level);
  progress->Advance(entries);
  return status.ok() ? absl::OkStatus() : Error(status);
}

absl::Status PathDatabase::OpenForLookups() {
  absl::Status status = Open();
  if (!status.ok()) return status;
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      tables_.emplace_back(level.level, file.num_entries, file.smallestkey,
                           file.largestkey);
    }
  }
  TakeCounts();
  return CheckFilters();
}

absl::Status PathDatabase::CheckFilters() {
  rocksdb::TablePropertiesCollection tables;
  const rocksdb::Status status = db_->GetPropertiesOfAllTables(&tables);
  if (!status.ok()) return Error(status);
  const std::string wanted = has_filter() ? options_.filter->Name() : "";
  uint64_t filter_bytes = 0;
  uint64_t entries = 0;
  for (const auto& [file, properties] : tables) {
    if (properties->filter_policy_name != wanted ||
        has_filter() != (properties->filter_size > 0)) {
      return Error(absl::StrCat(
          "table ", file, " has ", properties->filter_size,
          " bytes of filter by the policy '", properties->filter_policy_name,
          "'; the policy should be '", wanted, "'"));
    }
    filter_bytes += properties->filter_size;
    entries += properties->num_entries;
  }
  filter_bits_per_key_ =
      8 * static_cast<double>(filter_bytes) / static_cast<double>(entries);
  return absl::OkStatus();
}

absl::Status PathDatabase::WrongAnswer(const Lookup& lookup,
                                       const std::string& answer) const {
  return Error(absl::StrCat("wrong answer for ", std::string(lookup.path), ": ",
                            answer, ", but the list says ",
                            std::string(lookup.package.value_or("not found"))));
}

absl::StatusOr<double> PathDatabase::RunLookups(const Lookup* lookups,
                                                size_t count) {
  const rocksdb::ReadOptions options;
  rocksdb::ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  rocksdb::PinnableSlice value;
  const auto start = std::chrono::steady_clock::now();
  for (const Lookup* lookup = lookups; lookup < lookups + count; ++lookup) {
    value.Reset();
    const rocksdb::Status status =
        db_->Get(options, family, AsSlice(lookup->path), &value);
    if (!status.ok() && !status.IsNotFound()) return Error(status);
    if (status.ok() != lookup->package.has_value() ||
        (status.ok() && AsView(value) != *lookup->package)) {
      return WrongAnswer(*lookup, status.ok() ? value.ToString() : "not found");
    }
  }
  const std::chrono::duration<double, std::micro> took =
      std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(count);
}

LookupCounts PathDatabase::TakeCounts() {
  const auto take = [this](rocksdb::Tickers ticker) {
    return rocksdb_options_.statistics->getAndResetTickerCount(ticker);
  };
  LookupCounts counts;
  counts.skipped = take(rocksdb::BLOOM_FILTER_USEFUL);
  counts.true_positives = take(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  counts.false_positives =
      take(rocksdb::BLOOM_FILTER_FULL_POSITIVE) - counts.true_positives;
  counts.block_reads = take(rocksdb::BLOCK_CACHE_DATA_MISS);
  return counts;
}

}  // namespace oneline
