// Tests of tools/size/filter_models.h: compares each model with filters built
// by the policy that the model names.

#include "tools/size/filter_models.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/is_ok.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

PolicyPtr PolicyOf(const FilterModel& model, double asked) {
  PolicyPtr policy;
  EXPECT_TRUE(IsOk(rocksdb::FilterPolicy::CreateFromString(
      rocksdb::ConfigOptions(), model.policy(asked), &policy)));
  return policy;
}

// Makes a distinct key for each number and seed.
class KeyMaker {
 public:
  explicit KeyMaker(uint64_t seed) : seed_(seed) {}
  rocksdb::Slice At(uint64_t i) {
    bytes_[0] = seed_;
    bytes_[1] = i;
    return {reinterpret_cast<const char*>(bytes_), sizeof(bytes_)};
  }

 private:
  const uint64_t seed_;
  uint64_t bytes_[2];
};

std::string BuildFilter(const PolicyPtr& policy, size_t keys, uint64_t seed) {
  const BuilderPtr builder = NewBuilder(policy);
  KeyMaker maker(seed);
  for (size_t i = 0; i < keys; ++i) builder->AddKey(maker.At(i));
  return FinishBlock(builder.get());
}

double MeasuredRate(const PolicyPtr& policy, const std::string& block,
                    size_t keys, size_t lookups, uint64_t seed) {
  const ReaderPtr reader = NewReader(policy, block);
  KeyMaker maker(seed);
  size_t passed = 0;
  for (size_t i = 0; i < lookups; ++i) {
    passed += reader->MayMatch(maker.At(keys + i));
  }
  return static_cast<double>(passed) / static_cast<double>(lookups);
}

class FilterModelsTest : public testing::TestWithParam<FilterModel> {};

INSTANTIATE_TEST_SUITE_P(All, FilterModelsTest,
                         testing::ValuesIn(kFilterModels),
                         [](const auto& model) {
                           std::string name = model.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST(FilterModelRowsTest, EachKindHasOne) {
  for (const KindTraits* kind : AllKinds()) {
    EXPECT_EQ(std::count_if(kFilterModels.begin(), kFilterModels.end(),
                            [kind](const FilterModel& model) {
                              return model.kind == KindOf(*kind);
                            }),
              1)
        << kind->name;
  }
}

// Within 3 % and four times the statistical error, which is that of the lookups
// and that of the keys: blocked filters of the same size differ from each
// other.
TEST_P(FilterModelsTest, RatesAreThoseOfRealFilters) {
  constexpr size_t kKeys = kSlow ? 20000 : 200000;
  constexpr size_t kLookups = kSlow ? 100000 : 1500000;
  const uint64_t seed = TestSeed();
  for (double asked : {1.0, 1.5, 2.0, 3.3, 5.0, 7.5, 10.0, 12.25, 16.0}) {
    const PolicyPtr policy = PolicyOf(GetParam(), asked);
    const std::string block = BuildFilter(policy, kKeys, seed);
    const double rate = GetParam().fp_rate(asked, kKeys);
    const double error = std::sqrt(rate / kLookups) + rate / std::sqrt(kKeys);
    EXPECT_NEAR(MeasuredRate(policy, block, kKeys, kLookups, seed), rate,
                0.03 * rate + 4 * error)
        << asked << " bits per key";
  }
}

// RocksDB's Ribbon rounds the number of blocks with one more column at random,
// which changes the size by multiples of 16 bytes. Its Bloom filter has the
// number of probes in the third of its five metadata bytes, ours in its
// trailer.
TEST_P(FilterModelsTest, BytesAndProbesAreThoseOfRealFilters) {
  const bool exact = GetParam().asked_is_bits_per_key;
  const uint64_t seed = TestSeed();
  for (size_t keys : {1, 2, 10, 49, 100, 513, 999, 1000, 3000, 20000}) {
    if (kSlow && keys > 3000) break;
    for (double asked : {1.0,  1.3,   1.6,  1.9,   2.08,   2.081, 4.0,
                         5.1,  9.999, 10.0, 10.07, 10.071, 15.0,  21.0,
                         25.5, 26.0,  33.0, 50.0,  50.001, 55.0,  100.0}) {
      SCOPED_TRACE(testing::Message() << keys << " keys, " << asked);
      const std::string block =
          BuildFilter(PolicyOf(GetParam(), asked), keys, seed);
      const auto bytes = static_cast<double>(block.size());
      EXPECT_NEAR(static_cast<double>(GetParam().bytes(asked, keys)), bytes,
                  exact ? 0 : 16 + 0.02 * bytes);
      int probes = 0;
      if (const auto trailer = DecodeTrailer(block)) {
        if (FindKind(trailer->kind)->name == std::string("bloom")) {
          probes = trailer->parameter;
        }
      } else if (block[block.size() - 5] == '\xff') {
        probes = block[block.size() - 3];
      }
      EXPECT_EQ(GetParam().probes(asked, keys), probes);
    }
  }
}

}  // namespace
}  // namespace oneline
