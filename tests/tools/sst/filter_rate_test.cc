// Tests of tools/sst/filter_rate.h: blocks of all kinds, as this library and
// RocksDB build them.

#include "tools/sst/filter_rate.h"

#include "filter_policy/refilter/decoded_filter.h"
#include "tests/filter_policy/filter_bits.h"

namespace oneline {
namespace {

// The false-positive rate of RocksDB's reader.
double Measured(const PolicyPtr& policy, const std::string& block) {
  const std::unique_ptr<rocksdb::FilterBitsReader> reader(
      policy->GetFilterBitsReader(block));
  constexpr int kProbes = 400000;
  int passed = 0;
  for (int i = 0; i < kProbes; ++i) {
    passed += reader->MayMatch("absent " + std::to_string(i)) ? 1 : 0;
  }
  return static_cast<double>(passed) / kProbes;
}

TEST(FilterRateTest, IsThatOfTheReader) {
  struct Case {
    const char* policy;
    uint32_t format_version;
    int num_keys;
    const char* kind;
    double slack;  // relative error, because probes are not independent
  };
  for (const Case& c : std::initializer_list<Case>{
           {"oneline:6", 5, 10000, "ribbon", 0},
           {"{id=oneline;kind=bloom;bits_per_key=6}", 5, 10000, "bloom", 0.02},
           {"bloomfilter:6:false", 5, 10000, "RocksDB Bloom", 0.02},
           {"bloomfilter:6:false", 4, 10000, "RocksDB old Bloom", 0.3},
           {"ribbonfilter:6:-1", 5, 10000, "RocksDB Ribbon", 0},
           {"ribbonfilter:9.3:-1", 5, 3000, "RocksDB Ribbon", 0}}) {
    SCOPED_TRACE(c.policy);
    const PolicyPtr policy = PolicyNamed(c.policy);
    const std::string block = BlockOfKeys(policy, c.num_keys, c.format_version);
    const auto facts = DecodeFilter(block);
    ASSERT_TRUE(facts.has_value());
    EXPECT_EQ(NameOf(facts->kind), std::string(c.kind));
    const double rate = FilterFpRate(block);
    EXPECT_NEAR(Measured(policy, block), rate,
                5 * std::sqrt(rate / 400000) + c.slack * rate);
  }
}

TEST(FilterRateTest, OfBlocksWithoutKeysAndDamagedOnes) {
  EXPECT_EQ(FilterFpRate(""), 0);
  EXPECT_EQ(FilterFpRate(BlockOfKeys(OurPolicy(10), 0)), 0);
  EXPECT_EQ(FilterFpRate(std::string(6, '\0')), 1);
  EXPECT_EQ(FilterFpRate(std::string(100, 'x')), 1);
  EXPECT_EQ(FilterFpRate(std::vector<std::string>()), 1);
  EXPECT_EQ(FilterFpRate(std::vector<std::string>(
                {std::string(100, 'x'), BlockOfKeys(OurPolicy(10), 0)})) > 0.5,
            true);
}

}  // namespace
}  // namespace oneline
