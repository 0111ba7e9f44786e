// Tests of filter_policy/replacement/rocksdb_replacement.h: our policies in
// place of RocksDB's own take the memory of theirs, or have their false
// positives, and are called what theirs are called. tests/libraries has whole
// programs.

#include "filter_policy/replacement/rocksdb_replacement.h"

#include <rocksdb/options.h>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "tests/filter_policy/filter_bits.h"

namespace oneline {
namespace {

using rocksdb::FilterBuildingContext;
using rocksdb::TableFileCreationReason;

constexpr size_t kKeys = 100000;

// Before anything reads it.
[[maybe_unused]] const int set = setenv("ONELINE_REPLACE_BUILTIN", "1", 1);

PolicyPtr Bloom(double bits_per_key) {
  return PolicyPtr(rocksdb::NewBloomFilterPolicy(bits_per_key));
}

PolicyPtr Ribbon(double bits_per_key, int bloom_before_level) {
  return PolicyPtr(
      rocksdb::NewRibbonFilterPolicy(bits_per_key, bloom_before_level));
}

PolicyPtr Replaced(const PolicyPtr& builtin) { return ReplacementOf(builtin); }

// A table, as RocksDB tells of it.
struct Table {
  int level = 1;
  TableFileCreationReason reason = TableFileCreationReason::kCompaction;
  rocksdb::CompactionStyle style = rocksdb::kCompactionStyleLevel;
};
constexpr Table kFlush = {0, TableFileCreationReason::kFlush};

BuilderPtr BuilderFor(const PolicyPtr& policy, const Table& table) {
  const rocksdb::BlockBasedTableOptions table_options;
  FilterBuildingContext context(table_options);
  context.compaction_style = table.style;
  context.level_at_creation = table.level;
  context.reason = table.reason;
  context.num_levels = 7;
  context.is_bottommost = table.level == 6;
  return BuilderPtr(policy->GetBuilderWithContext(context));
}

// A filter of kKeys keys, empty if the policy wants none.
std::string BlockFor(const PolicyPtr& policy, const Table& table = {}) {
  static const auto* const keys = new Keys(MakeKeys("key", kKeys));
  const BuilderPtr builder = BuilderFor(policy, table);
  if (builder == nullptr) return "";
  AddKeys(*keys, builder.get());
  return FinishBlock(builder.get());
}

double BitsPerKey(const std::string& block) {
  return 8.0 * static_cast<double>(block.size()) / kKeys;
}

// "bloom" or "ribbon" for a block of ours.
std::string KindOf(const std::string& block) {
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  return trailer.has_value() ? FindKind(trailer->kind)->name : "not ours";
}

TEST(RocksDBReplacementTest, TakesTheMemoryOfRocksDBsBloomFilter) {
  for (double bits : {1.0, 2.5, 10.0, 100.0}) {
    SCOPED_TRACE(bits);
    const std::string block = BlockFor(Replaced(Bloom(bits)));
    EXPECT_NEAR(BitsPerKey(block), bits, 0.01 * bits);
    EXPECT_EQ(KindOf(block), bits < 2.15 ? "bloom" : "ribbon");
  }
}

// As many as a Bloom filter of the bits that are asked for: 0.97 % with 10.
TEST(RocksDBReplacementTest, HasTheFalsePositivesOfRocksDBsRibbonFilter) {
  for (double bits : {2.0, 10.0, 20.0}) {
    SCOPED_TRACE(bits);
    const auto passing = [](const PolicyPtr& policy) {
      const std::string block = BlockFor(policy);
      const ReaderPtr reader = NewReader(policy, block);
      EXPECT_EQ(CountMatches(MakeKeys("key", 1000), reader.get()), 1000u);
      return static_cast<double>(
          CountMatches(MakeKeys("other", kKeys), reader.get()));
    };
    const PolicyPtr builtin = Ribbon(bits, -1);
    const PolicyPtr policy = Replaced(builtin);
    const double expected = passing(builtin);
    EXPECT_NEAR(passing(policy), expected,
                0.05 * expected + 6 * std::sqrt(expected) + 6);
    const std::string block = BlockFor(policy);
    EXPECT_EQ(KindOf(block), bits < 3 ? "bloom" : "ribbon");
    if (bits < 5 || bits > 20) continue;
    const double builtin_bits = BitsPerKey(BlockFor(builtin));
    EXPECT_NEAR(BitsPerKey(block), builtin_bits, 0.05 * builtin_bits);
  }
}

// From 8.7 on SetOptions can ask for Ribbon filters where all were Bloom.
TEST(RocksDBReplacementTest, ItsLevelIsAnOption) {
  if (!kRibbonLevelIsAnOption) GTEST_SKIP() << "the level is not an option";
  const PolicyPtr policy =
      Replaced(Ribbon(10, std::numeric_limits<int>::max()));
  EXPECT_NEAR(BitsPerKey(BlockFor(policy)), 10, 0.1);
  const auto configurable =
      std::const_pointer_cast<rocksdb::FilterPolicy>(policy);
  ASSERT_TRUE(configurable
                  ->ConfigureOption(rocksdb::ConfigOptions(),
                                    "bloom_before_level", "-1")
                  .ok());
  EXPECT_NEAR(BitsPerKey(BlockFor(policy)), 7.1, 0.2);
  EXPECT_EQ(policy->GetId(), "ribbonfilter:10:-1");
}

TEST(RocksDBReplacementTest, TablesBeforeTheLevelGetBloomFilters) {
  const double ribbon_bits = BitsPerKey(BlockFor(Ribbon(10, -1)));
  const auto expect = [&](int bloom_before_level, const Table& table,
                          const char* kind) {
    SCOPED_TRACE(testing::Message()
                 << bloom_before_level << ", level " << table.level);
    const PolicyPtr builtin = Ribbon(10, bloom_before_level);
    const std::string block = BlockFor(Replaced(builtin), table);
    EXPECT_EQ(KindOf(block), kind);
    EXPECT_NEAR(BitsPerKey(block),
                std::string(kind) == "bloom" ? 10 : ribbon_bits, 0.1);
    // As RocksDB's own.
    EXPECT_NEAR(BitsPerKey(block), BitsPerKey(BlockFor(builtin, table)), 0.1);
  };
  constexpr TableFileCreationReason kCompaction =
      TableFileCreationReason::kCompaction;
  for (int level : {-5, -1}) expect(level, kFlush, "ribbon");
  expect(0, kFlush, "bloom");
  expect(0, {0, kCompaction}, "ribbon");
  expect(1, {0, kCompaction}, "bloom");
  expect(3, {2, kCompaction}, "bloom");
  expect(3, {3, kCompaction}, "ribbon");
  expect(5000, {6, kCompaction}, "bloom");
  // Of unknown levels, or of none.
  expect(3, {-1, TableFileCreationReason::kMisc}, "ribbon");
  expect(3, {0, kCompaction, rocksdb::kCompactionStyleFIFO}, "ribbon");
  expect(3, {0, kCompaction, rocksdb::kCompactionStyleUniversal}, "bloom");
  expect(std::numeric_limits<int>::max(), {6, kCompaction}, "bloom");
}

TEST(RocksDBReplacementTest, IsCalledWhatItReplaces) {
  for (const PolicyPtr& builtin :
       {Bloom(10), Bloom(9.5), Bloom(0.6), Bloom(0), Bloom(1000), Ribbon(10, 0),
        Ribbon(9.5, -1), Ribbon(10, 7), Ribbon(0, 0),
        Ribbon(std::numeric_limits<double>::quiet_NaN(), 2)}) {
    SCOPED_TRACE(builtin->GetId());
    const PolicyPtr policy = Replaced(builtin);
    ASSERT_NE(policy, nullptr);
    EXPECT_STREQ(policy->Name(), "oneline");
    EXPECT_EQ(policy->GetId(), builtin->GetId());
    EXPECT_EQ(policy->ToString(rocksdb::ConfigOptions()),
              builtin->ToString(rocksdb::ConfigOptions()));
    EXPECT_STREQ(policy->CompatibilityName(), builtin->CompatibilityName());
    for (const char* id : {"oneline", "ribbonfilter", "rocksdb.RibbonFilter",
                           "rocksdb.internal.BuiltinFilter"}) {
      const bool is_ribbon = builtin->IsInstanceOf("ribbonfilter");
      EXPECT_EQ(policy->IsInstanceOf(id),
                is_ribbon && builtin->IsInstanceOf(id))
          << id;
    }
    const rocksdb::Status status = policy->ValidateOptions(
        rocksdb::DBOptions(), rocksdb::ColumnFamilyOptions());
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(BuilderFor(policy, {}) == nullptr,
              BuilderFor(builtin, {}) == nullptr);
  }
}

TEST(RocksDBReplacementTest, OtherPoliciesStay) {
  EXPECT_EQ(Replaced(OurPolicy(10)), nullptr);
  EXPECT_EQ(Replaced(PolicyNamed("rocksdb.BuiltinBloomFilter")), nullptr);
  EXPECT_EQ(Replace(nullptr), nullptr);
}

TEST(RocksDBReplacementTest, NamesAreReplaced) {
  rocksdb::ConfigOptions config;
  config.registry = rocksdb::ObjectRegistry::NewInstance();
  RegisterReplacements(
      {&rocksdb::NewBloomFilterPolicy, &rocksdb::NewRibbonFilterPolicy},
      config.registry->AddLibrary("test").get());
  for (const auto& [name, saved_as, bits] :
       {std::tuple("bloomfilter:9.5", "bloomfilter:9.5:false", 9.5),
        {"rocksdb.BloomFilter:9.5", "bloomfilter:9.5:false", 9.5},
        {"bloomfilter:9.5:false", "bloomfilter:9.5:false", 9.5},
        {"bloomfilter:9.5:true", "bloomfilter:9.5:false", 9.5},
        {"ribbonfilter:10", "ribbonfilter:10:0", 10.0},
        {"rocksdb.RibbonFilter:10", "ribbonfilter:10:0", 10.0},
        {"rocksdb.RibbonFilter:10:0", "ribbonfilter:10:0", 10.0},
        {"ribbonfilter:10:-1", "ribbonfilter:10:-1", 7.05}}) {
    SCOPED_TRACE(name);
    PolicyPtr policy;
    const rocksdb::Status status =
        rocksdb::FilterPolicy::CreateFromString(config, name, &policy);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_NE(policy, nullptr);
    EXPECT_STREQ(policy->Name(), "oneline");
    EXPECT_EQ(policy->GetId(), saved_as);
    EXPECT_NEAR(BitsPerKey(BlockFor(policy, kFlush)), bits, 0.1);
  }
}

}  // namespace
}  // namespace oneline
