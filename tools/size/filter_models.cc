#include "tools/size/filter_models.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "tools/size/rocksdb_models.h"

namespace oneline {
namespace {

// A builder without keys, which knows sizes and rates all the same.
template <Kind kKind>
FilterBlockBuilder Builder(double bits_per_key) {
  return FilterBlockBuilder(*FindKind(kKind), bits_per_key, /*seed=*/0);
}

template <Kind kKind>
size_t OurBytes(double bits_per_key, size_t keys) {
  return Builder<kKind>(bits_per_key).BlockBytes(keys);
}

template <Kind kKind>
double OurFpRate(double bits_per_key, size_t keys) {
  const FilterBlockBuilder builder = Builder<kKind>(bits_per_key);
  return builder.FpRate(keys, builder.BlockBytes(keys));
}

template <Kind kKind>
int OurProbes(double bits_per_key, size_t keys) {
  const size_t line_bytes = OurBytes<kKind>(bits_per_key, keys) - kTrailerBytes;
  const KindTraits& written =
      EffectiveKind(*FindKind(kKind), 8 * static_cast<double>(line_bytes) /
                                          static_cast<double>(keys));
  if (KindOf(written) != Kind::kBloom) return 0;
  return written.choose_parameter(
      bits_per_key, keys, static_cast<uint32_t>(line_bytes / kLineBytes));
}

std::string RibbonPolicy(double bits_per_key) {
  return absl::StrCat("oneline:", bits_per_key);
}
std::string BloomPolicy(double bits_per_key) {
  return absl::StrCat("{id=oneline;kind=bloom;bits_per_key=", bits_per_key,
                      "}");
}
std::string RocksDBBloomPolicy(double bits_per_key) {
  return absl::StrCat("bloomfilter:", bits_per_key, ":false");
}
std::string RocksDBRibbonPolicy(double bloom_bits_per_key) {
  return absl::StrCat("ribbonfilter:", bloom_bits_per_key, ":-1");
}

int ProbesOfRocksDBBloom(double bits_per_key, size_t) {
  return RocksDBBloomProbes(bits_per_key);
}
int ProbesOfRocksDBRibbon(double bloom_bits_per_key, size_t keys) {
  return RocksDBRibbonIsBloom(bloom_bits_per_key, keys)
             ? RocksDBBloomProbes(bloom_bits_per_key)
             : 0;
}

}  // namespace

const std::array<FilterModel, 4> kFilterModels = {{
    {"oneline ribbon", Kind::kRibbon, true, &RibbonPolicy,
     &OurBytes<Kind::kRibbon>, &OurFpRate<Kind::kRibbon>,
     &OurProbes<Kind::kRibbon>},
    {"oneline bloom", Kind::kBloom, true, &BloomPolicy, &OurBytes<Kind::kBloom>,
     &OurFpRate<Kind::kBloom>, &OurProbes<Kind::kBloom>},
    {"RocksDB Bloom", std::nullopt, true, &RocksDBBloomPolicy,
     &RocksDBBloomBytes, &RocksDBBloomFpRate, &ProbesOfRocksDBBloom},
    {"RocksDB Ribbon", std::nullopt, false, &RocksDBRibbonPolicy,
     &RocksDBRibbonBytes, &RocksDBRibbonFpRate, &ProbesOfRocksDBRibbon},
}};

}  // namespace oneline
