#include "bench/levels/grown_database.h"

#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/statistics.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

constexpr uint64_t kFirstAbsent = uint64_t{1} << 40;

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

std::string BigEndian(uint64_t number) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>(number >> 8 * (7 - i));
  return bytes;
}

// The finalizer of MurmurHash3 (Austin Appleby). Each step has an inverse, so
// keys do not repeat.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

// The share of all keys that are between these.
double ShareOfKeys(const std::string& first, const std::string& last) {
  const auto number = [](const std::string& key) {
    double sum = 0;
    for (size_t i = 0; i < 8; ++i)
      sum = 256 * sum + static_cast<uint8_t>(key[i]);
    return sum;
  };
  return (number(last) - number(first)) * 0x1p-64;
}

double RibbonRate(double bits_per_key) {
  return LargeFilterFpRate(*FindKind("ribbon"), bits_per_key);
}

}  // namespace

std::string SizeError(uint64_t keys, uint64_t lookups) {
  if (keys < 100000 || keys > 16000000) {
    return "--keys must be 100000 to 16000000";
  }
  return lookups < 1000 ? "--lookups must be 1000 or more" : "";
}

GrownDatabase::GrownDatabase(const std::string& path, uint64_t keys,
                             const rocksdb::Options& options,
                             const rocksdb::BlockBasedTableOptions& table)
    : path_(path),
      step_(std::numeric_limits<uint64_t>::max() / keys),
      options_(options),
      table_(table) {
  options_.create_if_missing = true;
  options_.compression = rocksdb::kNoCompression;
  options_.write_buffer_size = size_t{1} << 20;
  options_.max_bytes_for_level_base = uint64_t{2} << 20;
  options_.target_file_size_base = uint64_t{2} << 20;
  options_.max_background_jobs = 4;
  if (table_.cache_index_and_filter_blocks) {
    table_.block_cache = rocksdb::NewLRUCache(size_t{64} << 20);
  }
}

std::string GrownDatabase::KeyAt(uint64_t index, Order order) const {
  return BigEndian(order == Order::kRandom ? Mix(index + 1) : index * step_);
}

void GrownDatabase::Open(std::shared_ptr<const rocksdb::FilterPolicy> policy) {
  db_.reset();
  table_.filter_policy = std::move(policy);
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_));
  options_.statistics = rocksdb::CreateDBStatistics();
  Check(rocksdb::DB::Open(options_, path_, OpenInto(&db_)));
}

void GrownDatabase::Write(uint64_t first, uint64_t last, Order order) {
  rocksdb::WriteOptions no_wal;
  no_wal.disableWAL = true;  // RocksDB flushes as it closes
  const std::string value(16, 'v');
  for (uint64_t i = first; i < last; ++i) {
    Check(db_->Put(no_wal, KeyAt(i, order), value));
    if (order != Order::kRandom || first == 0) continue;
    const std::string old = KeyAt(i * 7919 % first, order);
    if (i % 10 == 0) Check(db_->Put(no_wal, old, value));
    if (i % 20 == 1) Check(db_->Delete(no_wal, old));
  }
}

void GrownDatabase::Ingest(uint64_t first, uint64_t last) {
  const std::string file = path_ + ".sst";
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options_);
  Check(writer.Open(file));
  for (uint64_t i = first; i < last; ++i) {
    Check(writer.Put(KeyAt(i, Order::kSorted), std::string(16, 'v')));
  }
  Check(writer.Finish());
  rocksdb::IngestExternalFileOptions move;
  move.move_files = true;
  Check(db_->IngestExternalFile({file}, move));
}

void GrownDatabase::Rest() {
  constexpr int kQuiet = 5;
  for (int quiet = 0; quiet < kQuiet;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    uint64_t flushing = 0, compacting = 0;
    db_->GetIntProperty(rocksdb::DB::Properties::kNumRunningFlushes, &flushing);
    db_->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions,
                        &compacting);
    quiet = flushing + compacting > 0 ? 0 : quiet + 1;
  }
}

void GrownDatabase::CompactAll() {
  rocksdb::CompactRangeOptions all;
  all.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(db_->CompactRange(all, nullptr, nullptr));
}

FalsePositives GrownDatabase::OfTables() {
  rocksdb::TablePropertiesCollection properties;
  Check(db_->GetPropertiesOfAllTables(&properties));
  rocksdb::ColumnFamilyMetaData tree;
  db_->GetColumnFamilyMetaData(&tree);
  FalsePositives sum;
  double coverage = 0, of_others = 0;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    if (!level.files.empty())
      sum.runs += level.level == 0 ? level.files.size() : 1;
    for (const rocksdb::SstFileMetaData& file : level.files) {
      const rocksdb::TableProperties& table =
          *properties.at(file.db_path + file.name);
      const double share = ShareOfKeys(file.smallestkey, file.largestkey);
      sum.keys += static_cast<double>(table.num_entries);
      sum.filter_bits += 8 * static_cast<double>(table.filter_size);
      // RocksDB's Bloom has 0.95 % false positives with 10 bits per key.
      if (table.filter_policy_name == "oneline") {
        coverage += share;
      } else {
        of_others += 0.0095 * share;
      }
    }
  }
  sum.uniform = of_others + coverage * RibbonRate(sum.bits_per_key());
  sum.uniform10 = of_others + coverage * RibbonRate(10);
  return sum;
}

uint64_t GrownDatabase::Counted(rocksdb::Tickers ticker) const {
  return options_.statistics->getTickerCount(ticker);
}

double GrownDatabase::WastedReads(uint64_t count, double present,
                                  uint64_t written, bool is_zipf) {
  const uint64_t useful = Counted(rocksdb::BLOOM_FILTER_USEFUL);
  const uint64_t before = Counted(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
                          Counted(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> share(0, 1);
  const auto keys = static_cast<double>(written);
  uint64_t left =
      static_cast<uint64_t>(std::llround(present * static_cast<double>(count)));
  rocksdb::PinnableSlice value;
  for (uint64_t i = 0; i < count; ++i) {
    // With exponent 1 the logarithms of ranks are spread evenly.
    const double rank = is_zipf ? std::exp(share(random) * std::log(keys)) - 1
                                : share(random) * keys;
    const bool is_present = random() % (count - i) < left;
    if (is_present) --left;
    const uint64_t index = is_present
                               ? static_cast<uint64_t>(rank) * 7919 % written
                               : kFirstAbsent + i;
    value.Reset();
    const rocksdb::Status status =
        db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(),
                 KeyAt(index, Order::kRandom), &value);
    if (is_present) Check(status);
    if (!is_present && !status.IsNotFound()) {
      Check(rocksdb::Status::Corruption("an absent key was found",
                                        status.ToString()));
    }
  }
  if (Counted(rocksdb::BLOOM_FILTER_USEFUL) == useful) {
    Check(rocksdb::Status::Corruption("the filters were not used"));
  }
  return static_cast<double>(Counted(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
                             Counted(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE) -
                             before) /
         static_cast<double>(count);
}

FalsePositives GrownDatabase::LookUpAbsent(uint64_t count) {
  FalsePositives found = OfTables();
  found.counted =
      WastedReads(count, /*present=*/0, /*written=*/1, /*is_zipf=*/false);
  return found;
}

}  // namespace oneline
