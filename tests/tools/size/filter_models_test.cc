#include "tools/size/filter_models.h"

#include "absl/strings/substitute.h"
#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/table/all_kinds.h"

namespace oneline {
namespace {

std::string BuildFilter(const PolicyPtr& policy, size_t keys, uint64_t seed) {
  const BuilderPtr builder = NewBuilder(policy);
  for (size_t i = 0; i < keys; ++i) {
    builder->AddKey(std::string_view(IntegerKey(KeySet::kRandom, seed, i)));
  }
  return FinishBlock(builder.get());
}

double MeasuredRate(const PolicyPtr& policy, size_t keys, size_t lookups,
                    uint64_t seed) {
  const std::string block = BuildFilter(policy, keys, seed);
  const ReaderPtr reader = NewReader(policy, block);
  size_t passed = 0;
  for (size_t i = keys; i < keys + lookups; ++i) {
    passed += reader->MayMatch(
        std::string_view(IntegerKey(KeySet::kRandom, seed, i)));
  }
  return static_cast<double>(passed) / static_cast<double>(lookups);
}

// Of three filters: about one in a thousand has a line that more keys fell on
// than it can hold, so that all lookups pass there, or, at 16 bits per key,
// many more false positives than the six that are expected.
double MedianRate(const FilterModel& model, double asked, size_t keys,
                  size_t lookups, uint64_t seed) {
  std::array<double, 3> rates;
  for (double& rate : rates) {
    // Without a hash seed of ours the run could not be repeated.
    const std::string text =
        model.ours() ? absl::Substitute(
                           "{id=oneline;kind=$0;bits_per_key=$1;hash_seed=$2}",
                           FindKind(model.kind)->name, asked, seed)
                     : absl::Substitute(model.policy, asked);
    rate = MeasuredRate(PolicyNamed(text), keys, lookups, seed++);
  }
  std::sort(rates.begin(), rates.end());
  return rates[1];
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
  constexpr size_t kLookups = kSlow ? 100000 : 500000;
  const uint64_t seed = TestSeed();
  for (double asked : {1.0, 1.5, 2.0, 3.3, 5.0, 7.5, 10.0, 12.25, 16.0}) {
    const double rate = GetParam().rate(asked, kKeys).fp_rate;
    const double error = std::sqrt(rate / kLookups) + rate / std::sqrt(kKeys);
    EXPECT_NEAR(MedianRate(GetParam(), asked, kKeys, kLookups, seed), rate,
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
    for (double asked : {1.0, 1.6, 2.081, 5.1, 10.0, 26.0, 50.001, 100.0}) {
      SCOPED_TRACE(testing::Message() << keys << " keys, " << asked);
      const std::string block = BuildFilter(
          PolicyNamed(absl::Substitute(GetParam().policy, asked)), keys, seed);
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
      EXPECT_EQ(GetParam().rate(asked, keys).probes, probes);
    }
  }
}

}  // namespace
}  // namespace oneline
