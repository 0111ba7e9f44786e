#include "bench/levels/level_database.h"

#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

// Small, so that ten million small entries fill five levels below level 0 with
// a size ratio of 4.
constexpr size_t kWriteBufferBytes = size_t{1} << 20;
constexpr uint64_t kLevelBaseBytes = uint64_t{2} << 20;
constexpr uint64_t kTableBytes = uint64_t{2} << 20;
constexpr int kLevel0Runs = 4;  // that Load makes

constexpr size_t kBatch = 1000;
constexpr size_t kValueBytes = 16;

// A little less than fits into a write buffer.
constexpr uint64_t kKeysPerRun = 10000;

absl::Status FromRocksDB(const rocksdb::Status& status) {
  return status.ok() ? absl::OkStatus()
                     : absl::InternalError(status.ToString());
}

// The share of all keys that are between these.
double ShareOfKeys(const std::string& first, const std::string& last) {
  const auto number = [](const std::string& key) {
    double sum = 0;
    for (const char byte : key) sum = 256 * sum + static_cast<uint8_t>(byte);
    return sum;
  };
  return (number(last) - number(first)) * 0x1p-64;
}

}  // namespace

std::string RandomKey(uint64_t index) {
  // The finalizer of MurmurHash3 (Austin Appleby). Each step has an inverse, so
  // keys do not repeat.
  uint64_t x = index + 1;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return std::string(reinterpret_cast<const char*>(&x), sizeof(x));
}

LevelDatabase::LevelDatabase(std::string directory, const FilterOptions& filter,
                             std::vector<CompactedTree> families,
                             std::string policy)
    : directory_(std::move(directory)),
      filter_(filter),
      families_(std::move(families)),
      policy_(std::move(policy)) {
  options_.create_if_missing = true;
  options_.create_missing_column_families = true;
  options_.compression = rocksdb::kNoCompression;
  options_.write_buffer_size = kWriteBufferBytes;
  options_.max_bytes_for_level_base = kLevelBaseBytes;
  options_.target_file_size_base = kTableBytes;
  options_.max_background_jobs = 4;
}

std::vector<rocksdb::ColumnFamilyDescriptor> LevelDatabase::Descriptors()
    const {
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const CompactedTree& tree : families_) {
    rocksdb::ColumnFamilyOptions options = options_;
    options.max_bytes_for_level_multiplier = tree.size_ratio;
    options.level_compaction_dynamic_level_bytes = tree.dynamic_level_bytes;
    options.compaction_style = tree.style;
    options.level0_file_num_compaction_trigger = tree.level0_runs;
    descriptors.emplace_back(
        descriptors.empty() ? rocksdb::kDefaultColumnFamilyName
                            : absl::StrCat("family ", descriptors.size() + 1),
        options);
  }
  return descriptors;
}

absl::Status LevelDatabase::Open(bool compacting) {
  handles_.clear();
  db_.reset();
  rocksdb::BlockBasedTableOptions table;
  // A new policy each time, which knows nothing of the tree, as after a
  // restart.
  if (policy_.empty()) {
    table.filter_policy = NewRocksDBFilterPolicy(filter_);
  } else {
    rocksdb::ConfigOptions strict;
    strict.ignore_unsupported_options = false;
    const rocksdb::Status status = rocksdb::FilterPolicy::CreateFromString(
        strict, policy_, &table.filter_policy);
    if (!status.ok()) return FromRocksDB(status);
  }
  if (cache_bytes_ > 0) table.block_cache = rocksdb::NewLRUCache(cache_bytes_);
  options_.use_direct_reads = cache_bytes_ > 0;
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options_.disable_auto_compactions = !compacting;
  options_.statistics = rocksdb::CreateDBStatistics();
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status = rocksdb::DB::Open(
      options_, directory_, Descriptors(), &handles, OpenInto(&db_));
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    handles_.emplace_back(handle);
  }
  return FromRocksDB(status);
}

absl::Status LevelDatabase::Put(uint64_t first, uint64_t last,
                                Progress* progress) {
  rocksdb::WriteOptions options;
  options.disableWAL = true;  // a database that is lost is loaded again
  const std::string value(kValueBytes, 'v');
  for (uint64_t i = first; i < last;) {
    rocksdb::WriteBatch batch;
    const uint64_t end = std::min(i + kBatch, last);
    progress->Advance(end - i);
    for (; i < end; ++i) {
      const rocksdb::Status status = batch.Put(RandomKey(i), value);
      if (!status.ok()) return FromRocksDB(status);
    }
    const rocksdb::Status status = db_->Write(options, &batch);
    if (!status.ok()) return FromRocksDB(status);
  }
  return absl::OkStatus();
}

absl::Status LevelDatabase::Flush() {
  return FromRocksDB(db_->Flush(rocksdb::FlushOptions()));
}

// Waits until nothing has been compacted for half a second. (Under universal
// compaction RocksDB can call one pending that it does not run.
// DB::WaitForCompact came with RocksDB 8.)
absl::Status LevelDatabase::Rest() {
  constexpr int kQuiet = 5;
  for (int quiet = 0; quiet < kQuiet;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    uint64_t flushing = 0, compacting = 0;
    if (!db_->GetIntProperty(rocksdb::DB::Properties::kNumRunningFlushes,
                             &flushing) ||
        !db_->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions,
                             &compacting)) {
      return absl::InternalError(
          "RocksDB does not have the properties of compactions");
    }
    quiet = flushing + compacting > 0 ? 0 : quiet + 1;
  }
  return absl::OkStatus();
}

// Spreads keys over the column families by their last byte, which, unlike the
// first ones, has nothing to do with their order.
rocksdb::ColumnFamilyHandle* LevelDatabase::FamilyOf(
    const std::string& key) const {
  int shares = 0;
  for (const CompactedTree& tree : families_) shares += tree.share;
  int share = static_cast<uint8_t>(key.back()) % shares;
  size_t family = 0;
  while (share >= families_[family].share) share -= families_[family++].share;
  return handles_[family].get();
}

absl::Status LevelDatabase::Grow(uint64_t first, uint64_t last,
                                 Progress* progress) {
  absl::Status status = Open(/*compacting=*/true);
  if (!status.ok()) return status;
  const std::string value(kValueBytes, 'v');
  for (uint64_t i = first; i < last; ++i) {
    const std::string key = RandomKey(i);
    rocksdb::Status written =
        db_->Put(rocksdb::WriteOptions(), FamilyOf(key), key, value);
    // Old keys in an order that has nothing to do with that of the keys.
    const std::string old = RandomKey(first == 0 ? i : (i * 7919) % first);
    if (written.ok() && i % 10 == 0) {
      written = db_->Put(rocksdb::WriteOptions(), FamilyOf(old), old, value);
    } else if (written.ok() && i % 20 == 1) {
      written = db_->Delete(rocksdb::WriteOptions(), FamilyOf(old), old);
    }
    if (!written.ok()) return FromRocksDB(written);
    if ((i + 1) % kBatch == 0) progress->Advance(kBatch);
  }
  return Rest();
}

// Compacts the runs of level 0 that were too few to start a compaction.
absl::Status LevelDatabase::CompactLevel0() {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  if (tree.levels[0].files.empty()) return absl::OkStatus();
  int base = 1;
  const int num_levels = static_cast<int>(tree.levels.size());
  while (base + 1 < num_levels && tree.levels[base].files.empty()) ++base;
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kNoCompression;
  options.output_file_size_limit = kTableBytes;
  return FromRocksDB(db_->CompactFiles(options, files, base));
}

absl::Status LevelDatabase::WriteLevel0(uint64_t first, uint64_t last,
                                        Progress* progress) {
  for (int run = 0; run < kLevel0Runs; ++run) {
    absl::Status status =
        Put(first + (last - first) * run / kLevel0Runs,
            first + (last - first) * (run + 1) / kLevel0Runs, progress);
    if (status.ok()) status = Flush();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status LevelDatabase::Load(uint64_t keys, Progress* progress) {
  const uint64_t last = kLevel0Runs * kKeysPerRun;
  if (keys < 2 * last) {
    return absl::InvalidArgumentError(
        absl::StrCat("at least ", 2 * last, " keys are needed"));
  }
  absl::Status status = Open(/*compacting=*/true);
  if (status.ok()) status = Put(0, keys - last, progress);
  if (status.ok()) status = Flush();
  if (status.ok()) status = Rest();
  // From here on only we compact, and the policy keeps what it has learnt of
  // the tree.
  if (status.ok()) {
    status =
        FromRocksDB(db_->SetOptions({{"disable_auto_compactions", "true"}}));
  }
  if (status.ok()) status = CompactLevel0();
  if (status.ok()) status = WriteLevel0(keys - last, keys, progress);
  return status;
}

absl::Status LevelDatabase::CopyTo(LevelDatabase* copy, Progress* progress) {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(copy->directory_);
  if (!status.ok()) return FromRocksDB(status);
  absl::Status opened = copy->Open(/*compacting=*/false);
  return opened.ok() ? copy->Rewrite(progress) : opened;
}

absl::Status LevelDatabase::Rewrite(Progress* progress) {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kNoCompression;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const rocksdb::Status status =
          db_->CompactFiles(options, {file.name}, level.level);
      if (!status.ok()) return FromRocksDB(status);
      progress->Advance(file.num_entries);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<LevelFalsePositives> LevelDatabase::LookUpAbsent(
    uint64_t keys, uint64_t count, Progress* progress, size_t family) {
  // Opened again, because counters by level are those of the level at which a
  // table was opened.
  const absl::Status opened = Open(/*compacting=*/false);
  if (!opened.ok()) return opened;
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  rocksdb::PerfContext* const context = rocksdb::get_perf_context();
  context->EnablePerLevelPerfContext();
  context->Reset();
  rocksdb::PinnableSlice value;
  for (uint64_t i = 0; i < count; ++i) {
    value.Reset();
    const rocksdb::Status status =
        db_->Get(rocksdb::ReadOptions(), handles_[family].get(),
                 RandomKey(keys + i), &value);
    if (!status.IsNotFound()) {
      return absl::InternalError(
          absl::StrCat("lookup of an absent key: ", status.ToString()));
    }
    if ((i + 1) % kBatch == 0) progress->Advance(kBatch);
  }
  LevelFalsePositives false_positives;
  uint64_t positives = 0;
  for (const auto& [level, counts] : *context->level_to_perf_context) {
    false_positives[static_cast<int>(level)] =
        counts.bloom_filter_full_positive;
    positives += counts.bloom_filter_full_positive;
  }
  context->ClearPerLevelPerfContext();
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  const uint64_t counted =
      options_.statistics->getTickerCount(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  if (positives != counted) {
    return absl::InternalError(absl::StrCat("RocksDB counted ", positives,
                                            " positives by level, but ",
                                            counted, " in all"));
  }
  if (options_.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL) == 0) {
    return absl::InternalError("the filters were not used");
  }
  return false_positives;
}

absl::Status LevelDatabase::OpenForReads(uint64_t keys, uint64_t newest,
                                         size_t cache_bytes) {
  absl::Status opened = Open(/*compacting=*/false);
  if (!opened.ok()) return opened;
  const std::map<int, uint64_t> levels = TableBytes();
  const uint32_t last = static_cast<uint32_t>(levels.rbegin()->first);
  rocksdb::PerfContext* const context = rocksdb::get_perf_context();
  context->EnablePerLevelPerfContext();
  context->Reset();
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  hot_.clear();
  std::string value;
  uint64_t in_last_level = 0;
  for (uint64_t i = keys - newest; i < keys; ++i) {
    const rocksdb::Status status = db_->Get({}, RandomKey(i), &value);
    if (!status.ok()) return FromRocksDB(status);
    const uint64_t found =
        (*context->level_to_perf_context)[last].bloom_filter_full_true_positive;
    if (found == in_last_level) hot_.push_back(i);
    in_last_level = found;
  }
  context->ClearPerLevelPerfContext();
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  cache_bytes_ = cache_bytes;
  opened = Open(/*compacting=*/false);
  if (!opened.ok()) return opened;
  for (const uint64_t i : hot_) {
    const rocksdb::Status status = db_->Get({}, RandomKey(i), &value);
    if (!status.ok()) return FromRocksDB(status);
  }
  return absl::OkStatus();
}

absl::StatusOr<AbsentReads> LevelDatabase::ReadAbsentAndHot(uint64_t keys,
                                                            uint64_t first,
                                                            uint64_t count) {
  rocksdb::PerfContext* const context = rocksdb::get_perf_context();
  context->EnablePerLevelPerfContext();
  context->Reset();
  AbsentReads reads;
  std::string value;
  for (uint64_t i = first; i < first + count; ++i) {
    const rocksdb::Status found =
        db_->Get({}, RandomKey(hot_[i * 7919 % hot_.size()]), &value);
    if (!found.ok()) return FromRocksDB(found);
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    const uint64_t read = context->block_read_count;
    const uint64_t cached = context->block_cache_hit_count;
    const auto start = std::chrono::steady_clock::now();
    const rocksdb::Status absent = db_->Get({}, RandomKey(keys + i), &value);
    const std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
    if (!absent.IsNotFound()) {
      return absl::InternalError(
          absl::StrCat("lookup of an absent key: ", absent.ToString()));
    }
    (context->block_read_count > read          ? reads.of_read
     : context->block_cache_hit_count > cached ? reads.of_cached
                                               : reads.of_none)
        .push_back(time.count());
  }
  for (const auto& [level, counts] : *context->level_to_perf_context) {
    reads.wasted[static_cast<int>(level)] = {counts.bloom_filter_full_positive,
                                             counts.block_cache_miss_count};
  }
  context->ClearPerLevelPerfContext();
  return reads;
}

std::map<int, uint64_t> LevelDatabase::TableBytes() const {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::map<int, uint64_t> bytes;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    if (level.size > 0) bytes[level.level] = level.size;
  }
  return bytes;
}

absl::StatusOr<std::map<int, LevelFilters>> LevelDatabase::Levels(
    size_t family) const {
  rocksdb::ColumnFamilyHandle* const handle = handles_[family].get();
  rocksdb::TablePropertiesCollection properties;
  const rocksdb::Status status =
      db_->GetPropertiesOfAllTables(handle, &properties);
  if (!status.ok()) return FromRocksDB(status);
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(handle, &tree);
  const KindTraits& kind = *FindKind(filter_.kind);
  std::map<int, LevelFilters> levels;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const auto found = properties.find(file.db_path + file.name);
      if (found == properties.end()) {
        return absl::InternalError(
            absl::StrCat("table ", file.name, " has no properties"));
      }
      LevelFilters& tables = levels[level.level];
      const double keys = static_cast<double>(file.num_entries);
      const uint64_t bytes = found->second->filter_size;
      double rate = 1;
      if (bytes > kTrailerBytes) {
        const double bits = 8 * static_cast<double>(bytes - kTrailerBytes);
        rate = LargeFilterFpRate(kind, bits / keys, filter_.effort);
      }
      ++tables.tables;
      tables.keys += file.num_entries;
      tables.filter_bytes += bytes;
      const double share = ShareOfKeys(file.smallestkey, file.largestkey);
      tables.coverage += share;
      tables.expected += rate * share;
    }
  }
  return levels;
}

LevelDatabase::Shape LevelDatabase::GetShape() const {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  Shape shape;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      shape.emplace_back(level.level, file.num_entries, file.smallestkey,
                         file.largestkey);
    }
  }
  return shape;
}

}  // namespace oneline
