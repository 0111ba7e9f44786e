// Tests of oneline/leveldb_filter_policy.h without a database.
// leveldb_filtered_reads_test.cc tests it in databases.

#include "oneline/leveldb_filter_policy.h"

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "table/block/kind_choice.h"
#include "table/short_block/short_block.h"
#include "tests/filter_policy/leveldb/scratch_leveldb.h"

namespace oneline {
namespace {

using leveldb::FilterPolicy;
using leveldb::Slice;

using Policy = std::unique_ptr<const FilterPolicy>;

FilterOptions OptionsOf(Kind kind, double bits_per_key) {
  FilterOptions options;
  options.kind = kind;
  options.bits_per_key = bits_per_key;
  return options;
}

std::string FilterOf(const FilterPolicy& policy,
                     const std::vector<std::string>& keys) {
  std::vector<Slice> slices(keys.begin(), keys.end());
  std::string filter;
  policy.CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
  return filter;
}

std::vector<std::string> Keys(size_t n) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < n; ++i) keys.push_back("key" + std::to_string(i));
  return keys;
}

TEST(LevelDBFilterPolicyTest, FilterHasTheBitsAskedForEnvelopeIncluded) {
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    const Policy policy(OurLevelDBPolicy(OptionsOf(kind, 10)));
    EXPECT_EQ(FilterOf(*policy, Keys(20)).size(), 25u);
    EXPECT_EQ(FilterOf(*policy, Keys(48)).size(), 60u);
    EXPECT_EQ(FilterOf(*policy, Keys(1)).size(), 9u);
  }
}

// LevelDB builds no filter for a part of a table without keys, and asks none.
TEST(LevelDBFilterPolicyTest, WithoutKeysOrBitsThereIsNoFilter) {
  const Policy none(OurLevelDBPolicy(OptionsOf(Kind::kRibbon, 0)));
  EXPECT_EQ(FilterOf(*none, Keys(20)), "");
  EXPECT_TRUE(none->KeyMayMatch("key0", ""));
  const Policy some(OurLevelDBPolicy());
  EXPECT_EQ(FilterOf(*some, {}), "");
  EXPECT_TRUE(some->KeyMayMatch("key0", ""));
  FilterOptions rate;
  rate.fp_rate = 0.01;
  EXPECT_EQ(FilterOf(*Policy(OurLevelDBPolicy(rate)), {}), "");
  // Filters written with other options are still read.
  EXPECT_FALSE(none->KeyMayMatch("other", FilterOf(*some, Keys(20))));
}

TEST(LevelDBFilterPolicyTest, NameHasTheFormatAndTheSeed) {
  const auto name = [](const FilterOptions& options) -> std::string {
    return Policy(OurLevelDBPolicy(options))->Name();
  };
  FilterOptions options;
  EXPECT_EQ(name(options), "oneline.1");
  EXPECT_EQ(name(OptionsOf(Kind::kBloom, 5)), "oneline.1");
  options.hash_seed = 0;
  EXPECT_EQ(name(options), "oneline.1");
  options.hash_seed = 0x1234;
  EXPECT_EQ(name(options), "oneline.1.0000000000001234");
  options.hash_seed = ~uint64_t{0};
  EXPECT_EQ(name(options), "oneline.1.ffffffffffffffff");
}

TEST(LevelDBFilterPolicyTest, SeedChangesTheFilter) {
  FilterOptions options;
  options.hash_seed = 7;
  const Policy seeded(OurLevelDBPolicy(options)), unseeded(OurLevelDBPolicy());
  const std::string filter = FilterOf(*seeded, Keys(20));
  EXPECT_NE(filter, FilterOf(*unseeded, Keys(20)));
  for (const std::string& key : Keys(20)) {
    EXPECT_TRUE(seeded->KeyMayMatch(key, filter));
  }
}

// At every number of keys, for which small filters need more bits per key: at
// most 1.05 times as many false positives, by five standard deviations.
TEST(LevelDBFilterPolicyTest, FpRateIsReached) {
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    FilterOptions options;
    options.kind = kind;
    options.fp_rate = 0.01;
    const Policy policy(OurLevelDBPolicy(options));
    const KindTraits& traits = *FindKind(kind);
    const double large = BitsPerKeyFor(traits, 0.01);
    for (const size_t n : {1, 5, 20, 60, 300}) {
      const double bits = ShortBlockBitsPerKeyFor(traits, n, large);
      EXPECT_GE(bits, large);
      EXPECT_EQ(FilterOf(*policy, Keys(n)).size(),
                ShortBlockShapeFor(n, bits).block_bytes())
          << n;
      int passed = 0;
      constexpr int kFilters = 200, kLookups = 200;
      for (int i = 0; i < kFilters; ++i) {
        std::vector<std::string> keys = Keys(n + kLookups);
        for (std::string& key : keys) key += "of" + std::to_string(i);
        const std::string filter =
            FilterOf(*policy, {keys.begin() + kLookups, keys.end()});
        for (int absent = 0; absent < kLookups; ++absent) {
          passed += policy->KeyMayMatch(keys[absent], filter) ? 1 : 0;
        }
      }
      EXPECT_LT(passed, 1.05 * 0.01 * kFilters * kLookups + 5 * 20) << n;
    }
  }
}

// (filter_options_text_test.cc has all that Normalise refuses.)
TEST(LevelDBFilterPolicyTest, WrongOptionsAreReported) {
  const auto error_of = [](const FilterOptions& options) {
    const FilterPolicy* policy = nullptr;
    const auto status = NewLevelDBFilterPolicy(options, &policy);
    EXPECT_TRUE(status.IsInvalidArgument());
    EXPECT_EQ(policy, nullptr);
    return status.ToString();
  };
  EXPECT_TRUE(
      NewLevelDBFilterPolicy(FilterOptions(), nullptr).IsInvalidArgument());
  EXPECT_EQ(error_of(OptionsOf(Kind::kRibbon, 101)),
            "Invalid argument: oneline: bits_per_key=101: must be a number "
            "from 1 to 100, or 0 for no filter");
  for (const OptionRow& option : kOptions) {
    if (option.not_in_leveldb == nullptr) continue;
    FilterOptions options;
    ASSERT_TRUE(option.parse(option.example, &options));
    const std::string text = option.default_text;
    EXPECT_EQ(error_of(options),
              std::string("Invalid argument: oneline: ") + option.name + "=" +
                  option.example + ": must " +
                  (text.empty() ? "not be given" : "be " + text) + ": " +
                  option.not_in_leveldb);
  }
}

}  // namespace
}  // namespace oneline
