#include "bench/databases/grown_database.h"

#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table_properties.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <utility>

#include "bench/measure/measuring_program.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

constexpr uint64_t kFirstAbsent = uint64_t{1} << 40;
constexpr char kValue[] = "sixteen bytes...";

rocksdb::Options Small(rocksdb::Options options) {
  options.compression = rocksdb::kNoCompression;
  options.write_buffer_size = size_t{1} << 20;
  options.max_bytes_for_level_base = uint64_t{2} << 20;
  options.target_file_size_base = uint64_t{2} << 20;
  options.max_background_jobs = 4;
  return options;
}

std::string BigEndian(uint64_t number) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(number >> 8 * (7 - i));
  }
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
    for (size_t i = 0; i < 8; ++i) {
      sum = 256 * sum + static_cast<uint8_t>(key[i]);
    }
    return sum;
  };
  return (number(last) - number(first)) * 0x1p-64;
}

double RibbonRate(double bits_per_key) {
  return LargeFilterFpRate(*FindKind("ribbon"), bits_per_key);
}

}  // namespace

FalsePositives& FalsePositives::operator+=(const FalsePositives& other) {
  keys += other.keys;
  filter_bits += other.filter_bits;
  counted += other.counted;
  uniform += other.uniform;
  uniform10 += other.uniform10;
  return *this;
}

GrownDatabase::GrownDatabase(const std::string& path, uint64_t keys,
                             const rocksdb::Options& options,
                             const rocksdb::BlockBasedTableOptions& table)
    : path_(path),
      step_(std::numeric_limits<uint64_t>::max() / keys),
      filters_in_cache_(table.cache_index_and_filter_blocks),
      database_(path, {path, "nullptr"}, Small(options), table) {}

std::string GrownDatabase::KeyAt(uint64_t index, Order order) const {
  return BigEndian(order == Order::kRandom ? Mix(index + 1) : index * step_);
}

void GrownDatabase::Open(std::shared_ptr<const rocksdb::FilterPolicy> policy) {
  database_.SetPolicy(std::move(policy));
  Reads reads;
  reads.block_cache_bytes = size_t{64} << 20;
  reads.filters_in_cache = filters_in_cache_;
  database_.Open(reads);
}

void GrownDatabase::Write(uint64_t first, uint64_t last, Order order) {
  rocksdb::DB* const db = database_.db();
  rocksdb::WriteOptions no_log;
  no_log.disableWAL = true;  // RocksDB flushes as it closes
  for (uint64_t i = first; i < last; ++i) {
    Check(db->Put(no_log, KeyAt(i, order), kValue));
    if (order != Order::kRandom || first == 0) continue;
    const std::string old = KeyAt(i * 7919 % first, order);
    if (i % 10 == 0) Check(db->Put(no_log, old, kValue));
    if (i % 20 == 1) Check(db->Delete(no_log, old));
  }
}

void GrownDatabase::Ingest(uint64_t first, uint64_t last) {
  const std::string file = path_ + ".sst";
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(),
                                database_.db()->GetOptions());
  Check(writer.Open(file));
  for (uint64_t i = first; i < last; ++i) {
    Check(writer.Put(KeyAt(i, Order::kSorted), kValue));
  }
  Check(writer.Finish());
  rocksdb::IngestExternalFileOptions move;
  move.move_files = true;
  Check(database_.db()->IngestExternalFile({file}, move));
}

void GrownDatabase::Rest() {
  using Properties = rocksdb::DB::Properties;
  constexpr int kQuiet = 5;
  for (int quiet = 0; quiet < kQuiet;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    uint64_t flushing = 0, compacting = 0;
    database_.db()->GetIntProperty(Properties::kNumRunningFlushes, &flushing);
    database_.db()->GetIntProperty(Properties::kNumRunningCompactions,
                                   &compacting);
    quiet = flushing + compacting > 0 ? 0 : quiet + 1;
  }
}

void GrownDatabase::CompactAll() {
  rocksdb::CompactRangeOptions all;
  all.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForceOptimized;
  Check(database_.db()->CompactRange(all, nullptr, nullptr));
}

FalsePositives GrownDatabase::OfTables() {
  rocksdb::TablePropertiesCollection properties;
  Check(database_.db()->GetPropertiesOfAllTables(&properties));
  std::vector<rocksdb::LiveFileMetaData> files;
  database_.db()->GetLiveFilesMetaData(&files);
  FalsePositives sum;
  double coverage = 0, of_others = 0;
  for (const rocksdb::LiveFileMetaData& file : files) {
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
  if (sum.filter_bits == 0) return sum;  // all is in memory
  sum.uniform = of_others + coverage * RibbonRate(sum.bits_per_key());
  sum.uniform10 = of_others + coverage * RibbonRate(10);
  return sum;
}

double GrownDatabase::WastedReads(uint64_t count, double present,
                                  uint64_t written, KeyLaw law) {
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> share(0, 1);
  const auto keys = static_cast<double>(written);
  auto left =
      static_cast<uint64_t>(std::llround(present * static_cast<double>(count)));
  database_.TakeCounts();
  for (uint64_t i = 0; i < count; ++i) {
    if (random() % (count - i) >= left) {
      database_.Get({KeyAt(kFirstAbsent + i, Order::kRandom), {}});
      continue;
    }
    --left;
    // With exponent 1 the logarithms of ranks are spread evenly.
    const double rank = law == KeyLaw::kZipf
                            ? std::exp(share(random) * std::log(keys)) - 1
                            : share(random) * keys;
    const uint64_t index = static_cast<uint64_t>(rank) * 7919 % written;
    database_.Get({KeyAt(index, Order::kRandom), kValue});
  }
  const LookupCounts counts = database_.TakeCounts();
  if (counts.skipped == 0) Fail(path_ + ": the filters were not used");
  return static_cast<double>(counts.false_positives()) /
         static_cast<double>(count);
}

FalsePositives GrownDatabase::LookUpAbsent(uint64_t count) {
  FalsePositives found = OfTables();
  if (found.keys == 0) return found;
  found.counted = WastedReads(count, 0, 1, KeyLaw::kUniform);
  return found;
}

}  // namespace oneline
