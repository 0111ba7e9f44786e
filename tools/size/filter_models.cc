#include "tools/size/filter_models.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "filter_policy/refilter/decoded_filter.h"
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
  const double bits_there = 8.0 * line_bytes / keys;
  const KindTraits& kind = EffectiveKind(*FindKind(kKind), bits_there);
  const uint8_t parameter = kind.lines->choose_parameter(
      bits_per_key, keys, static_cast<uint32_t>(line_bytes / kLineBytes));
  return {ModelledFpRate(kind, bits_there, parameter),
          KindOf(kind) == Kind::kBloom ? parameter : 0};
}

using Policy = std::unique_ptr<const rocksdb::FilterPolicy>;

Policy Bloom(double bits_per_key) {
  return Policy(rocksdb::NewBloomFilterPolicy(bits_per_key));
}

Policy Ribbon(double bloom_bits_per_key) {
  constexpr int kAlwaysRibbon = -1;  // at every level
  return Policy(
      rocksdb::NewRibbonFilterPolicy(bloom_bits_per_key, kAlwaysRibbon));
}

std::unique_ptr<rocksdb::FilterBitsBuilder> NewBuilder(const Policy& policy) {
  rocksdb::BlockBasedTableOptions table;
  // With it sizes would depend on the filters built before, and the number of
  // probes on the size.
  table.optimize_filters_for_memory = false;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(
      policy->GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
}

// Of a filter with `keys` keys.
FilterFacts FactsOf(const Policy& policy, size_t keys) {
  const auto builder = NewBuilder(policy);
  for (size_t key = 0; key < keys; ++key) {
    builder->AddKey({reinterpret_cast<const char*>(&key), sizeof(key)});
  }
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder->Finish(&owner);
  return *DecodeFilter({block.data(), block.size()});
}

// The size of the smallest block that fits `keys`; that of the largest block,
// as many lines as 32 bits count bytes of, and the trailer, if none does.
size_t BytesFor(size_t keys, const Policy& policy) {
  const auto builder = NewBuilder(policy);
  return Bisect<size_t>(0, 0xffffffc0 + kRocksDBTrailerBytes,
                        [&](size_t bytes) {
                          return builder->ApproximateNumEntries(bytes) >= keys;
                        });
}

// All probes of a key are in one line of 512 bits, each derived from the hash
// times another power of the golden ratio. The rate is that of the model for
// independent probes; measured rates are up to 2 % below it.
FilterRate RocksDBBloomRate(double bits_per_key, size_t keys) {
  const int probes = FactsOf(Bloom(bits_per_key), 1).probes;
  const size_t bytes =
      RocksDBBloomBytes(bits_per_key, keys) - kRocksDBTrailerBytes;
  return {BlockedBloomFpRate(8.0 * bytes / keys, probes), probes};
}

size_t RocksDBRibbonBytes(double bloom_bits_per_key, size_t keys) {
  return BytesFor(keys, Ribbon(bloom_bits_per_key));
}

// For few keys, where a Bloom filter is smaller, RocksDB writes one.
bool RocksDBRibbonIsBloom(double bloom_bits_per_key, size_t keys) {
  // A fallback has the Bloom filter's size. Comparing sizes first avoids
  // building a large filter: only with few keys can a Ribbon have that size,
  // too.
  return RocksDBRibbonBytes(bloom_bits_per_key, keys) ==
             RocksDBBloomBytes(bloom_bits_per_key, keys) &&
         FactsOf(Ribbon(bloom_bits_per_key), keys).kind ==
             FoundKind::kRocksDBBloom;
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
  const int probes = FactsOf(Bloom(bloom_bits_per_key), 1).probes;
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
  return BytesFor(keys, Bloom(bits_per_key));
}

const std::array<FilterModel, 4> kFilterModels = {{
    {"oneline ribbon", Kind::kRibbon, true, "oneline:$0",
     &OurBytes<Kind::kRibbon>, &OurRate<Kind::kRibbon>},
    {"oneline bloom", Kind::kBloom, true,
     "{id=oneline;kind=bloom;bits_per_key=$0}", &OurBytes<Kind::kBloom>,
     &OurRate<Kind::kBloom>},
    {"RocksDB Bloom", Kind::kRocksDBBloom, true, "bloomfilter:$0:false",
     &RocksDBBloomBytes, &RocksDBBloomRate},
    {"RocksDB Ribbon", Kind::kRocksDBRibbon, false, "ribbonfilter:$0:-1",
     &RocksDBRibbonBytes, &RocksDBRibbonRate},
}};

}  // namespace oneline
