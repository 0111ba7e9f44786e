#include "bench/databases/growing_tree.h"

#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <utility>

#include "bench/databases/database.h"
#include "bench/measure/measuring_program.h"
#include "filter_policy/rocksdb/rocksdb_open.h"

namespace oneline {
namespace {

constexpr char kValue[] = "sixteen bytes...";

std::string BigEndian(uint64_t number) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(number >> (8 * (7 - i)));
  }
  return bytes;
}

rocksdb::WriteOptions WithoutLog() {
  rocksdb::WriteOptions options;
  options.disableWAL = true;  // RocksDB flushes as it closes
  return options;
}

}  // namespace

// Each step of the finalizer of MurmurHash3 (Austin Appleby) has an inverse.
std::string RandomKey(uint64_t index) {
  uint64_t x = index + 1;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return BigEndian(x ^ (x >> 33));
}

GrowingTree::GrowingTree(std::string path, std::function<Policy()> new_policy,
                         const rocksdb::Options& options, uint64_t keys)
    : path_(std::move(path)),
      new_policy_(std::move(new_policy)),
      options_(options),
      keys_(keys) {
  options_.create_if_missing = true;
  options_.compression = rocksdb::kNoCompression;
  options_.write_buffer_size = size_t{1} << 20;
  options_.max_bytes_for_level_base = uint64_t{2} << 20;
  options_.target_file_size_base = uint64_t{2} << 20;
  options_.max_background_jobs = 4;
  options_.statistics = rocksdb::CreateDBStatistics();
}

void GrowingTree::Open() {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = new_policy_();
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  db_.reset();
  Check(rocksdb::DB::Open(options_, path_, OpenInto(&db_)));
}

uint64_t GrowingTree::Count(double share) const {
  return static_cast<uint64_t>(share * static_cast<double>(keys_));
}

std::string GrowingTree::SortedKey(uint64_t index) const {
  return BigEndian(index * (~uint64_t{0} / keys_));
}

void GrowingTree::Put(const std::string& key) {
  Check(db_->Put(WithoutLog(), key, kValue));
}

void GrowingTree::WriteRandom(double from, double to) {
  const uint64_t first = Count(from), last = Count(to);
  for (uint64_t i = first; i < last; ++i) {
    Put(RandomKey(i));
    if (first == 0) continue;
    const std::string old = RandomKey(i * 7919 % first);
    if (i % 10 == 0) Put(old);
    if (i % 20 == 1) Check(db_->Delete(WithoutLog(), old));
  }
}

void GrowingTree::WriteSorted() {
  for (uint64_t i = 0; i < keys_; ++i) Put(SortedKey(i));
}

void GrowingTree::Ingest(double from, double to) {
  const std::string file = path_ + ".sst";
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options_);
  Check(writer.Open(file));
  for (uint64_t i = Count(from); i < Count(to); ++i) {
    Check(writer.Put(SortedKey(i), kValue));
  }
  Check(writer.Finish());
  rocksdb::IngestExternalFileOptions move;
  move.move_files = true;
  Check(db_->IngestExternalFile({file}, move));
}

void GrowingTree::CompactAll() {
  rocksdb::CompactRangeOptions all;
  all.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(db_->CompactRange(all, nullptr, nullptr));
}

void GrowingTree::Rest() const { oneline::Rest(db_.get()); }

double GrowingTree::Take(rocksdb::Tickers ticker) {
  return static_cast<double>(
      options_.statistics->getAndResetTickerCount(ticker));
}

TreeFigures GrowingTree::LookUp(uint64_t lookups) {
  TreeFigures figures = OfTables();
  options_.statistics->Reset();
  rocksdb::PinnableSlice value;
  for (uint64_t i = 0; i < lookups; ++i) {
    const rocksdb::Status status =
        db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(),
                 RandomKey(kFirstAbsent + i), &value);
    if (!status.IsNotFound()) Fail(path_ + ": an absent key is there");
  }
  const double skipped = Take(rocksdb::BLOOM_FILTER_USEFUL);
  const double searched = Take(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  if (skipped == 0) Fail(path_ + ": the filters were not used");
  const auto count = static_cast<double>(lookups);
  figures.queries = (skipped + searched) / count;
  figures.false_positives = searched / count;
  return figures;
}

TreeFigures GrowingTree::OfTables() const {
  rocksdb::TablePropertiesCollection tables;
  Check(db_->GetPropertiesOfAllTables(&tables));
  TreeFigures figures;
  double bits = 0;
  for (const auto& [file, table] : tables) {
    figures.keys += static_cast<double>(table->num_entries);
    bits += 8 * static_cast<double>(table->filter_size);
  }
  if (bits > 0) figures.bits_per_key = bits / figures.keys;
  return figures;
}

}  // namespace oneline
