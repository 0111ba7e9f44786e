#include "tools/size/filter_models.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "tools/models/bisection.h"
#include "tools/models/kind_model.h"

namespace oneline {
namespace {

template <Kind kKind>
size_t OurBytes(double bits_per_key, size_t keys) {
  return FilterBlockBuilder(*FindKind(kKind), bits_per_key, /*seed=*/0)
      .BlockBytes(keys);
}

// Of what is written where this kind is asked for. By the model and not by the
// table of rates, so that equal filters have equal rates to the last digit.
template <Kind kKind>
FilterRate OurRate(double bits_per_key, size_t keys) {
  const size_t line_bytes = OurBytes<kKind>(bits_per_key, keys) - kTrailerBytes;
  const double bits_there =
      8 * static_cast<double>(line_bytes) / static_cast<double>(keys);
  const KindTraits& kind = EffectiveKind(*FindKind(kKind), bits_there);
  const uint8_t parameter = kind.lines->choose_parameter(
      bits_per_key, keys, static_cast<uint32_t>(line_bytes / kLineBytes));
  return {ModelledFpRate(kind, bits_there, parameter, kDefaultEffort),
          KindOf(kind) == Kind::kBloom ? parameter : 0};
}

// The metadata at the end of a filter of RocksDB's:
//   Bloom:  0xff, 0, number of probes, 0, 0
//   Ribbon: 0xfe, seed, number of blocks (3 bytes)
constexpr size_t kMetadataBytes = 5;
constexpr uint8_t kBloomMarker = 0xff;
constexpr size_t kProbesByte = 2;

// The largest block of either filter: as many lines as 32 bits count bytes of,
// and the metadata.
constexpr size_t kMaxBlockBytes = 0xffffffc0 + kMetadataBytes;

// A builder, together with the policy that it may refer to.
struct Builder {
  explicit Builder(const rocksdb::FilterPolicy* made) : policy(made) {
    rocksdb::BlockBasedTableOptions table;
    // With it sizes would depend on the filters built before, and the number of
    // probes on the size.
    table.optimize_filters_for_memory = false;
    bits.reset(
        policy->GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
  }

  const std::unique_ptr<const rocksdb::FilterPolicy> policy;
  std::unique_ptr<rocksdb::FilterBitsBuilder> bits;
};

Builder BloomBuilder(double bits_per_key) {
  return Builder(rocksdb::NewBloomFilterPolicy(bits_per_key));
}

Builder RibbonBuilder(double bloom_bits_per_key) {
  constexpr int kAlwaysRibbon = -1;  // at every level
  return Builder(
      rocksdb::NewRibbonFilterPolicy(bloom_bits_per_key, kAlwaysRibbon));
}

// Byte `i` of the metadata of a filter with `keys` keys.
uint8_t MetadataByte(size_t i, size_t keys, const Builder& builder) {
  for (size_t key = 0; key < keys; ++key) {
    builder.bits->AddKey(
        rocksdb::Slice(reinterpret_cast<const char*>(&key), sizeof(key)));
  }
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder.bits->Finish(&owner);
  return static_cast<uint8_t>(block[block.size() - kMetadataBytes + i]);
}

// The size of the smallest block that fits `keys`; kMaxBlockBytes if none does.
size_t BytesFor(size_t keys, const Builder& builder) {
  return Bisect<size_t>(0, kMaxBlockBytes, [&](size_t bytes) {
    return builder.bits->ApproximateNumEntries(bytes) >= keys;
  });
}

// All probes of a key are in one line of 512 bits, each derived from the hash
// times another power of the golden ratio. The rate is that of the model for
// independent probes in tools/models/kind_model.h; measured rates are up to 2
// % below it.
FilterRate RocksDBBloomRate(double bits_per_key, size_t keys) {
  const int probes = MetadataByte(kProbesByte, 1, BloomBuilder(bits_per_key));
  const size_t bytes = RocksDBBloomBytes(bits_per_key, keys) - kMetadataBytes;
  return {
      BlockedBloomFpRate(
          8 * static_cast<double>(bytes) / static_cast<double>(keys), probes),
      probes};
}

size_t RocksDBRibbonBytes(double bloom_bits_per_key, size_t keys) {
  return BytesFor(keys, RibbonBuilder(bloom_bits_per_key));
}

// For few keys, where a Bloom filter is smaller, RocksDB writes one.
bool RocksDBRibbonIsBloom(double bloom_bits_per_key, size_t keys) {
  // A fallback has the Bloom filter's size. Comparing sizes first avoids
  // building a large filter: only with few keys can a Ribbon have that size,
  // too.
  return RocksDBRibbonBytes(bloom_bits_per_key, keys) ==
             RocksDBBloomBytes(bloom_bits_per_key, keys) &&
         MetadataByte(0, keys, RibbonBuilder(bloom_bits_per_key)) ==
             kBloomMarker;
}

// A Ribbon with c columns has the rate 2^-c, whatever its keys. RocksDB mixes c
// and c + 1 columns to meet its own estimate for the Bloom filter, but never
// below 2^-32, as 32 columns are its maximum. The estimate for k probes is the
// mean of (1 - e^(-k n / 512))^k at two numbers n of keys per line: one
// standard deviation, sqrt(512 / bits), above and below the mean, 512 / bits.
FilterRate RocksDBRibbonRate(double bloom_bits_per_key, size_t keys) {
  if (RocksDBRibbonIsBloom(bloom_bits_per_key, keys)) {
    return RocksDBBloomRate(bloom_bits_per_key, keys);
  }
  const int probes =
      MetadataByte(kProbesByte, 1, BloomBuilder(bloom_bits_per_key));
  const double mean = kLineBits / bloom_bits_per_key;
  double rate = 0;
  for (const double deviation : {std::sqrt(mean), -std::sqrt(mean)}) {
    const double in_use = -std::expm1(-probes * (mean + deviation) / kLineBits);
    rate += std::pow(in_use, probes) / 2;
  }
  return {std::max(rate, std::exp2(-32)), 0};
}

}  // namespace

size_t RocksDBBloomBytes(double bits_per_key, size_t keys) {
  return BytesFor(keys, BloomBuilder(bits_per_key));
}

const std::array<FilterModel, 4> kFilterModels = {{
    {"oneline ribbon", Kind::kRibbon, true, "oneline:$0",
     &OurBytes<Kind::kRibbon>, &OurRate<Kind::kRibbon>},
    {"oneline bloom", Kind::kBloom, true,
     "{id=oneline;kind=bloom;bits_per_key=$0}", &OurBytes<Kind::kBloom>,
     &OurRate<Kind::kBloom>},
    {"RocksDB Bloom", std::nullopt, true, "bloomfilter:$0:false",
     &RocksDBBloomBytes, &RocksDBBloomRate},
    {"RocksDB Ribbon", std::nullopt, false, "ribbonfilter:$0:-1",
     &RocksDBRibbonBytes, &RocksDBRibbonRate},
}};

}  // namespace oneline
