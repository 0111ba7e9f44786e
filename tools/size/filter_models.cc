#include "tools/size/filter_models.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "tools/size/rocksdb_models.h"

namespace oneline {
namespace {

constexpr uint8_t kBloom = 1;
constexpr uint8_t kRibbon = 2;

// Asked for a size or a rate, a builder needs no keys.
template <uint8_t kKind>
FilterBlockBuilder Builder(double bits_per_key) {
  return FilterBlockBuilder(*FindFilterKind(kKind), bits_per_key, /*seed=*/0);
}

template <uint8_t kKind>
size_t OurBytes(double bits_per_key, size_t keys) {
  return Builder<kKind>(bits_per_key).BlockBytes(keys);
}

template <uint8_t kKind>
double OurFpRate(double bits_per_key, size_t keys) {
  const FilterBlockBuilder builder = Builder<kKind>(bits_per_key);
  return builder.FpRate(keys, builder.BlockBytes(keys));
}

template <uint8_t kKind>
int OurProbes(double bits_per_key, size_t keys) {
  const size_t line_bytes = OurBytes<kKind>(bits_per_key, keys) - kTrailerBytes;
  const FilterKind& written =
      KindToWrite(*FindFilterKind(kKind), 8 * static_cast<double>(line_bytes) /
                                              static_cast<double>(keys));
  if (written.id != kBloom) return 0;
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
    {"oneline ribbon", kRibbon, true, &RibbonPolicy, &OurBytes<kRibbon>,
     &OurFpRate<kRibbon>, &OurProbes<kRibbon>},
    {"oneline bloom", kBloom, true, &BloomPolicy, &OurBytes<kBloom>,
     &OurFpRate<kBloom>, &OurProbes<kBloom>},
    {"RocksDB Bloom", 0, true, &RocksDBBloomPolicy, &RocksDBBloomBytes,
     &RocksDBBloomFpRate, &ProbesOfRocksDBBloom},
    {"RocksDB Ribbon", 0, false, &RocksDBRibbonPolicy, &RocksDBRibbonBytes,
     &RocksDBRibbonFpRate, &ProbesOfRocksDBRibbon},
}};

}  // namespace oneline
