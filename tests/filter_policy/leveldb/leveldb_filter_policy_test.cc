// Tests of oneline/leveldb_filter_policy.h without a database.
// leveldb_filtered_reads_test.cc tests it in databases,
// leveldb_filter_damage_test.cc with damaged filters.

#include "oneline/leveldb_filter_policy.h"

#include <gtest/gtest.h>
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
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
  const Policy unseeded(OurLevelDBPolicy(options));
  options.hash_seed = 7;
  const Policy seeded(OurLevelDBPolicy(options));
  EXPECT_NE(FilterOf(*seeded, Keys(20)), FilterOf(*unseeded, Keys(20)));
  for (const std::string& key : Keys(20)) {
    EXPECT_TRUE(seeded->KeyMayMatch(key, FilterOf(*seeded, Keys(20))));
  }
}

// At every number of keys: small filters need more bits per key.
// (short_block_model_test: what these bits give.)
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
    }
  }
}

void ExpectRefused(const FilterOptions& options, const std::string& message) {
  const FilterPolicy* policy = nullptr;
  const leveldb::Status status = NewLevelDBFilterPolicy(options, &policy);
  EXPECT_EQ(status.ToString(), "Invalid argument: " + message);
  EXPECT_EQ(policy, nullptr);
}

// (options_together_test.cc has all that Normalise refuses.)
TEST(LevelDBFilterPolicyTest, WrongOptionsAreReported) {
  EXPECT_TRUE(
      NewLevelDBFilterPolicy(FilterOptions(), nullptr).IsInvalidArgument());
  ExpectRefused(OptionsOf(Kind::kRibbon, 101),
                "oneline: bits_per_key=101: must be a number from 1 to 100, or "
                "0 for no filter");
  for (const auto& [policy, message] :
       {std::pair("{id=oneline;bloom_before_level=2}",
                  "oneline: bloom_before_level=2: must be -1: LevelDB does not "
                  "tell a table's level"),
        {"{id=oneline;level_bits_per_key=16:8}",
         "oneline: level_bits_per_key=16:8: must not be given: LevelDB does "
         "not tell a table's level"},
        {"{id=oneline;max_filter_bytes=1048576}",
         "oneline: max_filter_bytes=1048576: must be none: LevelDB's filters "
         "are for 2 KiB of data each"},
        {"{id=oneline;bits_by_level=false}",
         "oneline: bits_by_level=false: must be true: LevelDB does not tell a "
         "table's level"}}) {
    FilterOptions options;
    ASSERT_EQ(ParsePolicy(policy, &options), "");
    ExpectRefused(options, message);
  }
}

}  // namespace
}  // namespace oneline
