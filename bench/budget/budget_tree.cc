#include "bench/budget/budget_tree.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/metadata.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/measure/spread.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"

namespace oneline {
namespace {

constexpr int kLastLevel = 6;
constexpr size_t kValueBytes = 100;
// Of each flush and of what is compacted into a level, in thousandths.
constexpr uint64_t kFlush = 2, kFlushes = 3, kSecondAbove = 14, kAbove = 90;

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

void Require(bool is_true, const char* what) {
  if (!is_true) Check(rocksdb::Status::Corruption(what));
}

rocksdb::Slice AsSlice(const Key& key) {
  return {key.bytes, sizeof(key.bytes)};
}

}  // namespace

BudgetTree::BudgetTree(std::string path, uint64_t keys, FilterChoice choice)
    : path_(std::move(path)), keys_(keys), choice_(std::move(choice)) {
  rocksdb::ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  Check(rocksdb::FilterPolicy::CreateFromString(strict, choice_.policy,
                                                &policy_));
  options_.create_if_missing = true;
  options_.disable_auto_compactions = true;
  options_.compression = rocksdb::kNoCompression;
  options_.level_compaction_dynamic_level_bytes = true;
  options_.optimize_filters_for_hits = choice_.optimize_filters_for_hits;
  options_.write_buffer_size = size_t{1} << 30;  // more than a flush has
  // Some 80 tables, however large the database is.
  options_.target_file_size_base = keys_ * 8 / 5;
}

void BudgetTree::Open(size_t cache_bytes, bool direct_reads) {
  db_.reset();
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = policy_;
  table.partition_filters = choice_.is_partitioned;
  if (choice_.is_partitioned) {
    table.index_type =
        rocksdb::BlockBasedTableOptions::IndexType::kTwoLevelIndexSearch;
  }
  // As a user has it who asks for filters in the cache: filters and indexes
  // have high priority in one half of it. But of one shard: in a small cache of
  // the usual 16 it would be chance which shard a large filter falls into.
  table.cache_index_and_filter_blocks = true;
  table.block_cache = rocksdb::NewLRUCache(cache_bytes, /*num_shard_bits=*/0);
  table.optimize_filters_for_memory = false;
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options_.use_direct_reads = direct_reads;
  options_.statistics = rocksdb::CreateDBStatistics();
  options_.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
  Check(rocksdb::DB::Open(options_, path_, OpenInto(&db_)));
}

void BudgetTree::WriteLevel(uint64_t first, uint64_t last, int level) {
  constexpr uint64_t kKeysOfFlush = 200000;
  rocksdb::WriteOptions write;
  write.disableWAL = true;
  const std::string value(kValueBytes, 'v');
  for (uint64_t i = first; i < last; ++i) {
    Check(db_->Put(write, AsSlice(Key(2 * i)), value));
    if ((i - first) % kKeysOfFlush == kKeysOfFlush - 1) Check(db_->Flush({}));
  }
  Check(db_->Flush({}));
  if (level == 0) return;
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  rocksdb::CompactionOptions compact;
  compact.compression = rocksdb::kDisableCompressionOption;  // the options'
  compact.output_file_size_limit = options_.target_file_size_base;
  Check(db_->CompactFiles(compact, files, level));
}

void BudgetTree::Write() {
  Open(size_t{8} << 20, /*direct_reads=*/false);
  const auto part = [this](uint64_t thousandths) {
    return keys_ * thousandths / 1000;
  };
  uint64_t end = part(1000 - kFlushes * kFlush - kSecondAbove - kAbove);
  WriteLevel(0, end, kLastLevel);
  for (const auto& [level, thousandths] :
       {std::pair{kLastLevel - 1, kAbove}, {kLastLevel - 2, kSecondAbove}}) {
    WriteLevel(end, end + part(thousandths), level);
    end += part(thousandths);
  }
  for (uint64_t flush = kFlushes; flush > 0; --flush) {
    const uint64_t first = end;
    end = flush == 1 ? keys_ : end + part(kFlush);
    WriteLevel(first, end, 0);
  }
}

void BudgetTree::CopyTo(const std::string& path) {
  rocksdb::Checkpoint* made = nullptr;
  Check(rocksdb::Checkpoint::Create(db_.get(), &made));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  Check(checkpoint->CreateCheckpoint(path));
}

void BudgetTree::Refilter() {
  Open(size_t{8} << 20, /*direct_reads=*/false);
  RefilterOptions options;
  options.bytes_per_second = 0;
  Check(oneline::Refilter(db_.get(), options, nullptr));
  rocksdb::TablePropertiesCollection properties;
  Check(db_->GetPropertiesOfAllTables(&properties));
  for (const auto& [file, table] : properties) {
    Require(table->filter_policy_name == policy_->Name(),
            "a table has the filter of another policy");
  }
}

std::vector<std::tuple<int, uint64_t, uint64_t>> BudgetTree::Shape() {
  rocksdb::TablePropertiesCollection properties;
  Check(db_->GetPropertiesOfAllTables(&properties));
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  std::vector<std::tuple<int, uint64_t, uint64_t>> tables;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const auto& table = properties.at(file.db_path + file.name);
      tables.emplace_back(level.level, table->num_entries, table->data_size);
    }
  }
  return tables;
}

uint64_t BudgetTree::DataBytes() {
  uint64_t bytes = 0;
  for (const auto& [level, keys, data_bytes] : Shape()) bytes += data_bytes;
  return bytes;
}

double BudgetTree::BitsPerKey() {
  rocksdb::TablePropertiesCollection properties;
  Check(db_->GetPropertiesOfAllTables(&properties));
  double bytes = 0;
  for (const auto& [file, table] : properties) {
    bytes += static_cast<double>(table->filter_size);
  }
  return 8 * bytes / static_cast<double>(keys_);
}

float BudgetTree::LookUpOne(const DrawnKeys::Drawn& drawn) const {
  using Clock = std::chrono::steady_clock;
  rocksdb::PinnableSlice value;
  const auto begin = Clock::now();
  const rocksdb::Status status =
      db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(),
               AsSlice(drawn.key), &value);
  const std::chrono::duration<float, std::micro> taken = Clock::now() - begin;
  if (!status.IsNotFound()) Check(status);
  Require(status.ok() == drawn.is_present, "a wrong answer");
  return taken.count();
}

LookupCost BudgetTree::Counts() const {
  const auto count = [this](rocksdb::Tickers ticker) {
    return static_cast<double>(options_.statistics->getTickerCount(ticker));
  };
  LookupCost sum;
  sum.blocks = count(rocksdb::BLOCK_CACHE_ADD);
  sum.data_blocks = count(rocksdb::BLOCK_CACHE_DATA_ADD);
  sum.index_blocks = count(rocksdb::BLOCK_CACHE_INDEX_ADD);
  sum.filter_blocks = count(rocksdb::BLOCK_CACHE_FILTER_ADD);
  sum.bytes = count(rocksdb::BLOCK_CACHE_BYTES_WRITE);
  sum.wasted_reads = count(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
                     count(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  return sum;
}

LookupCost BudgetTree::LookUp(size_t cache_bytes, bool direct_reads,
                              DrawnKeys keys, uint64_t count) {
  Open(cache_bytes, direct_reads);
  for (uint64_t i = 0; i < count; ++i) LookUpOne(keys.Next());
  Check(options_.statistics->Reset());
  std::vector<float> present, absent;
  double micros = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const DrawnKeys::Drawn drawn = keys.Next();
    const float taken = LookUpOne(drawn);
    (drawn.is_present ? present : absent).push_back(taken);
    micros += taken;
  }
  Require(absent.empty() || options_.statistics->getTickerCount(
                                rocksdb::BLOOM_FILTER_USEFUL) > 0,
          "the filters were not used");
  LookupCost cost = Counts();
  for (double* of_all :
       {&cost.blocks, &cost.data_blocks, &cost.index_blocks,
        &cost.filter_blocks, &cost.bytes, &cost.wasted_reads}) {
    *of_all /= static_cast<double>(count);
  }
  cost.per_second = 1e6 * static_cast<double>(count) / micros;
  if (!present.empty()) {
    cost.present_p50 = Percentile(0.50, &present);
    cost.present_p99 = Percentile(0.99, &present);
  }
  if (!absent.empty()) {
    cost.absent_p50 = Percentile(0.50, &absent);
    cost.absent_p99 = Percentile(0.99, &absent);
  }
  return cost;
}

}  // namespace oneline
