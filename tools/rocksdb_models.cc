#include "tools/rocksdb_models.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "filter_policy/rocksdb_filter_bits.h"
#include "table/key_hash.h"
#include "table/sizing.h"

namespace oneline {
namespace {

// What stands behind the bits of each of RocksDB's filters:
//   Bloom:  0xff, 0, the number of probes, 0, 0
constexpr size_t kMetadataBytes = 5;
constexpr size_t kProbesByte = 2;

// The largest block of either filter: lines and metadata that 32 bits count.
constexpr size_t kMostBytes = 0xffffffc0 + kMetadataBytes;

// A builder, and the policy that it may refer to.
struct Builder {
  explicit Builder(const rocksdb::FilterPolicy* made) : policy(made) {
    rocksdb::BlockBasedTableOptions table;
    // Sizes would depend on the filters before, and probes on the size.
    table.optimize_filters_for_memory = false;
    bits.reset(
        policy->GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
  }

  const std::unique_ptr<const rocksdb::FilterPolicy> policy;
  std::unique_ptr<rocksdb::FilterBitsBuilder> bits;
};

// The smallest block for so many keys, or the largest that there is.
size_t BytesFor(size_t keys, const Builder& builder) {
  size_t low = 0, high = kMostBytes;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (builder.bits->ApproximateNumEntries(middle) >= keys) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Of a Bloom filter whose lines are all alike.
double EvenFpRate(double keys_per_line, int probes) {
  return std::pow(-std::expm1(-probes * keys_per_line / kLineBits), probes);
}

}  // namespace

size_t RocksDBBloomBytes(double bits_per_key, size_t keys) {
  return BytesFor(keys, Builder(rocksdb::NewBloomFilterPolicy(bits_per_key)));
}

int RocksDBBloomProbes(double bits_per_key) {
  const Builder builder(rocksdb::NewBloomFilterPolicy(bits_per_key));
  builder.bits->AddKey("any");
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder.bits->Finish(&owner);
  return block[block.size() - kMetadataBytes + kProbesByte];
}

double RocksDBBloomFpRate(double bits_per_key, size_t keys) {
  const size_t bytes = RocksDBBloomBytes(bits_per_key, keys) - kMetadataBytes;
  return BlockedBloomFpRate(
      8 * static_cast<double>(bytes) / static_cast<double>(keys),
      RocksDBBloomProbes(bits_per_key));
}

size_t RocksDBRibbonBytes(double bloom_bits_per_key, size_t keys) {
  constexpr int kAlwaysRibbon = -1;  // at every level
  return BytesFor(keys, Builder(rocksdb::NewRibbonFilterPolicy(
                            bloom_bits_per_key, kAlwaysRibbon)));
}

bool RocksDBRibbonIsBloom(double bloom_bits_per_key, size_t keys) {
  return RocksDBRibbonBytes(bloom_bits_per_key, keys) ==
         RocksDBBloomBytes(bloom_bits_per_key, keys);
}

double RocksDBRibbonFpRate(double bloom_bits_per_key, size_t keys) {
  if (RocksDBRibbonIsBloom(bloom_bits_per_key, keys)) {
    return RocksDBBloomFpRate(bloom_bits_per_key, keys);
  }
  const int probes = RocksDBBloomProbes(bloom_bits_per_key);
  const double mean = kLineBits / bloom_bits_per_key;
  const double deviation = std::sqrt(mean);
  const double rate = (EvenFpRate(mean + deviation, probes) +
                       EvenFpRate(mean - deviation, probes)) /
                      2;
  return std::max(rate, std::exp2(-32));
}

}  // namespace oneline
