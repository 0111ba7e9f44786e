#include "bench/databases/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "bench/filters/filter_candidates.h"
#include "bench/measure/measuring_program.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"

namespace oneline {
namespace {

// More than any flush has, so flushes happen only where the plan has them.
constexpr size_t kWriteBufferBytes = size_t{2} << 30;
constexpr size_t kBatch = 1000;
constexpr size_t kMaxKeysAtOnce = 32;

// Keys and values may be any bytes, and long.
std::string Shown(std::string_view bytes) {
  constexpr size_t kMaxShown = 40;
  return absl::StrCat("'",
                      absl::CHexEscape(std::string(bytes.substr(0, kMaxShown))),
                      bytes.size() > kMaxShown ? "...'" : "'");
}

}  // namespace

std::shared_ptr<const rocksdb::FilterPolicy> NewPolicy(
    const std::string& policy) {
  rocksdb::ConfigOptions strict;
  strict.ignore_unknown_options = false;
  strict.ignore_unsupported_options = false;
  std::shared_ptr<const rocksdb::FilterPolicy> made;
  const rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(strict, policy, &made);
  if (!status.ok()) {
    Fail(absl::StrCat("filter policy '", policy, "': ", status.ToString()));
  }
  return made;
}

std::vector<Filter> ComparedFilters(double bits_per_key) {
  // The seed is fixed, so that counts are the same in every run.
  const std::string ours =
      absl::StrCat("{id=oneline;bits_per_key=", bits_per_key,
                   ";hash_seed=1;bits_by_level=false;kind=");
  const std::string bloom =
      absl::StrCat("bloomfilter:", bits_per_key, ":false");
  return {
      {kBaseFilter, bloom},
      {"no filter", "nullptr"},
      {"RocksDB's Bloom, again", bloom},
      {"RocksDB's Ribbon",
       absl::StrCat("ribbonfilter:", BloomBitsOfRibbon(bits_per_key), ":-1")},
      {"our Ribbon", ours + "ribbon}"},
      {"our Bloom", ours + "bloom}"},
  };
}

std::vector<Filter> AdaptedFilters() {
  std::vector<Filter> all;
  const std::pair<const char*, const char*> kinds[] = {
      {"RocksDB's Bloom", "kind=rocksdb_bloom"},
      {"RocksDB's Ribbon", "kind=rocksdb_ribbon"},
      {"ours", "hash_seed=1"}};
  for (const char* const hits : {"", ";hits=0.9"}) {
    for (const auto& [name, kind] : kinds) {
      all.push_back(
          {absl::StrCat(name, *hits == 0 ? ", by level" : ", hits=0.9"),
           absl::StrCat("{id=oneline;", kind, hits, "}")});
    }
  }
  return all;
}

LookupCounts& LookupCounts::operator+=(const LookupCounts& other) {
  checks += other.checks;
  skipped += other.skipped;
  true_positives += other.true_positives;
  data_blocks += other.data_blocks;
  cached_blocks += other.cached_blocks;
  return *this;
}

void Rest(rocksdb::DB* db) {
  using Properties = rocksdb::DB::Properties;
  for (int quiet = 0; quiet < 5;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    uint64_t flushes = 0, compactions = 0;
    db->GetIntProperty(Properties::kNumRunningFlushes, &flushes);
    db->GetIntProperty(Properties::kNumRunningCompactions, &compactions);
    quiet = flushes + compactions > 0 ? 0 : quiet + 1;
  }
}

rocksdb::Options PlannedOptions() {
  rocksdb::Options options;
  options.disable_auto_compactions = true;
  // Later versions of RocksDB would move the levels down to the last one.
  options.level_compaction_dynamic_level_bytes = false;
  options.write_buffer_size = kWriteBufferBytes;
  // With one writer a memtable inserts sorted keys in constant time.
  options.allow_concurrent_memtable_write = false;
  return options;
}

Database::Database(std::string path, Filter filter,
                   const rocksdb::Options& options,
                   const rocksdb::BlockBasedTableOptions& table)
    : path_(std::move(path)),
      filter_(std::move(filter)),
      policy_(NewPolicy(filter_.policy)),
      options_(options),
      table_(table) {
  options_.create_if_missing = true;
  options_.optimize_filters_for_hits = filter_.optimize_filters_for_hits;
  options_.statistics = rocksdb::CreateDBStatistics();
  // Only counters, because timers would slow lookups down.
  options_.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
  // RocksDB's filters have the bits per key that are asked for.
  table_.optimize_filters_for_memory = false;
}

void Database::FailHere(const std::string& what) const {
  Fail(absl::StrCat("database '", name(), "': ", what));
}

void Database::CheckHere(const rocksdb::Status& status) const {
  if (!status.ok()) FailHere(status.ToString());
}

void Database::Open(const Reads& reads) {
  db_.reset();
  table_.filter_policy = policy_;
  table_.cache_index_and_filter_blocks = reads.filters_in_cache;
  // In a small cache of the usual 16 shards it would be chance which of them a
  // large filter falls into.
  table_.block_cache = rocksdb::NewLRUCache(reads.block_cache_bytes,
                                            reads.filters_in_cache ? 0 : -1);
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_));
  options_.use_direct_reads = reads.direct;
  CheckHere(rocksdb::DB::Open(options_, path_, OpenInto(&db_)));
}

// Sets the options by which a filter policy knows the ratio between the sizes
// of levels. With compactions turned off they have no other effect.
void Database::Describe(const FixedTree& tree) {
  std::map<int, double> share_of_level;
  for (const Generation& generation : tree.generations) {
    share_of_level[generation.level] +=
        generation.num_flushes * generation.share_of_flush;
  }
  share_of_level.erase(0);
  const double first = share_of_level.begin()->second;
  const double last = share_of_level.rbegin()->second;
  const double flush = tree.generations.back().share_of_flush;
  const int ratios = static_cast<int>(share_of_level.size()) - 1;
  options_.max_bytes_for_level_base =
      static_cast<uint64_t>(kWriteBufferBytes * first / flush);
  options_.max_bytes_for_level_multiplier =
      ratios < 1 ? 10 : std::pow(last / first, 1.0 / ratios);
}

WriteCost Database::Load(const Records& records, const LoadPlan& plan,
                         Progress* progress) {
  WriteCost cost;
  Describe(plan.tree);
  Open(Reads());
  auto flush = plan.flushes.begin();
  for (const Generation& generation : plan.tree.generations) {
    const Stopwatch flushing(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < generation.num_flushes; ++i, ++flush) {
      WriteFlush(records, *flush, plan.arrival, progress);
    }
    cost.flushes += flushing.Elapsed();
    const Stopwatch compacting(CLOCK_PROCESS_CPUTIME_ID);
    if (generation.level > 0) {
      CompactInto(generation.level, plan.tree.table_bytes, progress);
    }
    cost.compactions += compacting.Elapsed();
  }
  Close();
  return cost;
}

void Database::LoadAndOverwrite(const Records& records, Progress* progress) {
  // Another seed than that of lookups, which would ask for these records alone.
  std::mt19937_64 random(12345);
  options_.disable_auto_compactions = false;
  Open(Reads());
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  const auto write = [&](size_t i) {
    CheckHere(db_->Put(options, records.key(i), records.value(i)));
    if (i % kBatch == 0) progress->Advance(kBatch);
  };
  for (size_t i = 0; i < records.size(); ++i) write(i);
  // Tables that do not overlap are moved, not written again.
  CheckHere(db_->CompactRange({}, nullptr, nullptr));
  for (size_t i = 0; i < records.size() / 10; ++i) {
    write(random() % records.size());
  }
  CheckHere(db_->Flush(rocksdb::FlushOptions()));
  Rest(db_.get());
  options_.disable_auto_compactions = true;
  Close();
}

void Database::WriteFlush(const Records& records,
                          const std::vector<uint32_t>& flush, Arrival arrival,
                          Progress* progress) const {
  rocksdb::WriteOptions options;
  // A crash loses nothing of value.
  options.disableWAL = arrival == Arrival::kSorted;
  rocksdb::WriteBatch batch;
  const auto write = [&] {
    CheckHere(db_->Write(options, &batch));
    progress->Advance(batch.Count());
    batch.Clear();
  };
  for (const uint32_t i : flush) {
    CheckHere(batch.Put(records.key(i), records.value(i)));
    if (batch.Count() == kBatch) write();
  }
  write();
  CheckHere(db_->Flush(rocksdb::FlushOptions()));
}

void Database::CompactInto(int level, uint64_t table_bytes,
                           Progress* progress) const {
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::vector<std::string> files;
  uint64_t entries = 0;
  for (const rocksdb::SstFileMetaData& file : tree.levels[0].files) {
    files.push_back(file.name);
    entries += file.num_entries;
  }
  if (files.empty()) return;  // of very few records
  rocksdb::CompactionOptions options;
  options.compression = rocksdb::kDisableCompressionOption;  // as flushes do
  options.output_file_size_limit = table_bytes;
  CheckHere(db_->CompactFiles(options, files, level));
  progress->Advance(entries);
}

std::unique_ptr<Database> Database::Copy(const std::string& path,
                                         const Filter& filter) const {
  rocksdb::Checkpoint* made = nullptr;
  CheckHere(rocksdb::Checkpoint::Create(db_.get(), &made));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  CheckHere(checkpoint->CreateCheckpoint(path));
  auto copy = std::make_unique<Database>(path, filter, options_, table_);
  if (!copy->has_filter()) return copy;
  copy->Open(Reads());
  RefilterOptions no_limit;
  no_limit.bytes_per_second = 0;
  no_limit.all_tables = true;  // also those whose filter could be the policy's
  const Stopwatch stopwatch(CLOCK_PROCESS_CPUTIME_ID);
  copy->CheckHere(Refilter(copy->db_.get(), no_limit, nullptr));
  copy->refilter_time_ = stopwatch.Elapsed();
  copy->refilter_bytes_ =
      copy->options_.statistics->getTickerCount(rocksdb::COMPACT_WRITE_BYTES);
  return copy;
}

void Database::OpenForLookups(const Reads& reads) {
  Open(reads);
  ReadTables();
  if (reads.warm) {
    rocksdb::ReadOptions ahead;
    ahead.readahead_size = 2 << 20;
    const std::unique_ptr<rocksdb::Iterator> all(db_->NewIterator(ahead));
    uint64_t used = 0;
    for (all->SeekToFirst();
         all->Valid() && used < reads.block_cache_bytes / 10 * 9; all->Next()) {
      db_->GetIntProperty(rocksdb::DB::Properties::kBlockCacheUsage, &used);
    }
    CheckHere(all->status());
  }
  TakeCounts();
}

void Database::ReadTables() {
  rocksdb::TablePropertiesCollection properties;
  CheckHere(db_->GetPropertiesOfAllTables(&properties));
  const std::string wanted = has_filter() ? policy_->Name() : "";
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  tables_.clear();
  entries_ = filter_bytes_ = data_bytes_ = 0;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const rocksdb::TableProperties& table =
          *properties.at(file.db_path + file.name);
      // Where a Ribbon filter would be so small, RocksDB writes a Bloom filter,
      // and Refilter leaves the one that is there.
      const bool is_small_ribbon =
          wanted == "ribbonfilter" && table.filter_size < 2048;
      if (has_filter() &&
          ((table.filter_policy_name != wanted && !is_small_ribbon) ||
           (table.filter_size == 0 && !filter_.lacks_some))) {
        FailHere(absl::StrCat("table ", file.name, " has ", table.filter_size,
                              " bytes of filter of the policy '",
                              table.filter_policy_name,
                              "'; the policy should be '", wanted, "'"));
      }
      tables_.emplace_back(level.level, table.num_entries, file.smallestkey,
                           file.largestkey);
      entries_ += table.num_entries;
      if (has_filter()) filter_bytes_ += table.filter_size;
      data_bytes_ += table.data_size;
    }
  }
}

void Database::CheckAnswer(const Lookup& lookup, const rocksdb::Status& status,
                           const rocksdb::PinnableSlice& value) const {
  if (!status.IsNotFound()) CheckHere(status);
  const std::string_view found = value.ToStringView();
  if (status.ok() == lookup.value.has_value() &&
      (!status.ok() || found == *lookup.value)) {
    return;
  }
  const auto shown = [](bool is_there, std::string_view bytes) {
    return is_there ? Shown(bytes) : "not found";
  };
  FailHere(
      absl::StrCat("wrong answer for ", Shown(lookup.key), ": ",
                   shown(status.ok(), found), ", but it must be ",
                   shown(lookup.value.has_value(), lookup.value.value_or("")),
                   status.ok() ? "" : " (a false negative?)"));
}

void Database::Get(const Lookup& lookup) const {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get(
      rocksdb::ReadOptions(), db_->DefaultColumnFamily(), lookup.key, &value);
  CheckAnswer(lookup, status, value);
}

void Database::MultiGet(const Lookup* lookups, size_t count) const {
  assert(count <= kMaxKeysAtOnce);
  std::array<rocksdb::Slice, kMaxKeysAtOnce> keys;
  std::array<rocksdb::PinnableSlice, kMaxKeysAtOnce> values;
  std::array<rocksdb::Status, kMaxKeysAtOnce> statuses;
  for (size_t i = 0; i < count; ++i) keys[i] = lookups[i].key;
  db_->MultiGet(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), count,
                keys.data(), values.data(), statuses.data());
  for (size_t i = 0; i < count; ++i) {
    CheckAnswer(lookups[i], statuses[i], values[i]);
  }
}

LookupCounts Database::TakeCounts() {
  const auto take = [this](rocksdb::Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  };
  LookupCounts counts;
  counts.skipped = take(rocksdb::BLOOM_FILTER_USEFUL);
  counts.checks = counts.skipped + take(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  counts.true_positives = take(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  counts.data_blocks = take(rocksdb::BLOCK_CACHE_DATA_MISS);
  counts.cached_blocks = take(rocksdb::BLOCK_CACHE_ADD);
  return counts;
}

}  // namespace oneline
