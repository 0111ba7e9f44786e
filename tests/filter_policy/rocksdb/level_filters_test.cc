// Tests of oneline/level_filters.h: the rule, with our kinds' numbers, and
// RocksDB's own filters with bits by level in real databases.
// (rocksdb_level_bits_test.cc has what RocksDB tells of tables.)

#include "oneline/level_filters.h"

#include <rocksdb/utilities/options_util.h>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "table/block/kind_choice.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

TreeBits FullTree(double requested, double size_ratio, double hits = 0) {
  FilterOptions options;
  options.hits = hits;
  return TreeBits(RuleFor(options, requested), size_ratio,
                  TreeBits::PaidIfFull(size_ratio));
}

double RibbonRate(double bits_per_key) {
  return bits_per_key == 0
             ? 1
             : LargeFilterFpRate(*FindKind(Kind::kRibbon), bits_per_key);
}

TEST(TreeBitsTest, LevelsAtTenBitsPerKey) {
  const TreeBits ten = FullTree(10, 10);
  EXPECT_NEAR(ten.last, 9.497, 0.001);
  EXPECT_EQ(ten.Above(0), ten.last);
  EXPECT_NEAR(ten.Above(1), 13.334, 0.001);
  EXPECT_EQ(ten.Above(2), 16);
  EXPECT_EQ(ten.level0, 14);
  const TreeBits four = FullTree(10, 4);
  EXPECT_NEAR(four.last, 9.184, 0.001);
  EXPECT_NEAR(four.Above(1), 11.494, 0.001);
  EXPECT_NEAR(four.Above(2), 13.805, 0.001);
}

TEST(TreeBitsTest, AFullTreeTakesWhatWasRequested) {
  for (const double ratio : {2.0, 4.0, 6.0, 10.0, 100.0}) {
    for (const double requested : {2.0, 4.0, 7.0, 10.0, 14.0, 16.0, 20.0}) {
      const TreeBits tree = FullTree(requested, ratio);
      double share = 1 - 1 / ratio;
      double bits = share * tree.last;
      for (int above = 1; above < 60; ++above) {
        share /= ratio;
        bits += share * tree.Above(above);
      }
      EXPECT_LE(bits, requested + 0.001) << requested << ", " << ratio;
      EXPECT_GE(bits, 0.97 * requested - 0.1) << requested << ", " << ratio;
    }
  }
}

TEST(TreeBitsTest, BitsStayWithinBounds) {
  for (const double ratio : {1.0, 1.001, 2.0, 10.0, 100.0}) {
    for (int thousandths = 1000; thousandths <= 100000; thousandths += 77) {
      const double requested = thousandths / 1000.0;
      const TreeBits tree = FullTree(requested, ratio);
      ASSERT_GE(tree.last, 0.899 * requested);
      ASSERT_LE(tree.last, requested);
      ASSERT_EQ(tree.level0,
                std::min(requested + 4, std::max(requested, kMostBits)));
      for (double above = 0, less = tree.last; above < 8; above += 0.5) {
        ASSERT_GE(tree.Above(above), less) << requested << ", " << above;
        ASSERT_LE(tree.Above(above), std::max(requested, kMostBits));
        less = tree.Above(above);
      }
    }
    const TreeBits none = FullTree(0, ratio);
    EXPECT_EQ(none.last, 0);
    EXPECT_EQ(none.Above(1), 0);
    EXPECT_EQ(none.level0, 0);
  }
}

// A false positive of the last level costs a read in 1 - h of the lookups only.
TEST(TreeBitsTest, NoMoreReadsAreWastedAtTheStatedHits) {
  for (const double ratio : {4.0, 10.0}) {
    for (double requested = 5.5; requested <= 16; requested += 0.25) {
      const double at_none = RibbonRate(FullTree(requested, ratio).last);
      for (const double hits : {0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99}) {
        const double last = FullTree(requested, ratio, hits).last;
        // With fewer the rate changes too steeply for one slope.
        if (last < 2.5) continue;
        EXPECT_LE((1 - hits) * RibbonRate(last), 1.03 * at_none)
            << requested << ", " << hits;
      }
    }
  }
}

TEST(TreeBitsTest, NoFilterThatMostAbsentKeysWouldPass) {
  EXPECT_EQ(FullTree(10, 10, 0.9999).last, 0);
  EXPECT_EQ(FullTree(4, 10, 0.9).last, 0);
  for (double hits = 0; hits < 1; hits += 0.001) {
    const double last = FullTree(10, 10, hits).last;
    ASSERT_TRUE(last == 0 || RibbonRate(last) <= 0.5) << hits;
  }
}

// One of both kinds of RocksDB, from the header or as a kind of our policy.
struct LevelKind {
  const char* name;
  const char* table_name;
  Kind kind;
  PolicyPtr (*by_level)(double bits_per_key, double hits);
  const char* saved_as;  // begins so
};

class LevelFiltersTest : public testing::TestWithParam<LevelKind> {
 protected:
  PolicyPtr ByLevel(double bits_per_key, double hits = 0) {
    return GetParam().by_level(bits_per_key, hits);
  }
  // Levels of 1/16, 1/4 and all of the even keys below kKeys.
  static constexpr int kKeys = 24000;
  static void WriteTree(ScratchDatabase* database) {
    database->WriteTableTo(6, 0, kKeys);
    database->WriteTableTo(5, 0, kKeys / 4);
    database->WriteTableTo(4, 0, kKeys / 16);
    database->WriteTable(0, kKeys / 16);
  }
  static rocksdb::Options TreeWith(const PolicyPtr& policy) {
    rocksdb::BlockBasedTableOptions table;
    table.optimize_filters_for_memory = false;
    rocksdb::Options options = OptionsWith(policy, table);
    options.max_bytes_for_level_multiplier = 4;
    options.level_compaction_dynamic_level_bytes = true;
    return options;
  }
};

constexpr LevelKind kHeaders[] = {
    {"Bloom", "oneline.LevelBloom", Kind::kRocksDBBloom,
     &NewLevelBloomFilterPolicy, "bloomfilter:10:false"},
    {"Ribbon", "oneline.LevelRibbon", Kind::kRocksDBRibbon,
     &NewLevelRibbonFilterPolicy, "ribbonfilter:14"},
};
constexpr LevelKind kOurs[] = {
    {"OurBloom", "oneline", Kind::kRocksDBBloom,
     &PolicyByLevel<Kind::kRocksDBBloom>, "bloomfilter:10:false"},
    {"OurRibbon", "oneline", Kind::kRocksDBRibbon,
     &PolicyByLevel<Kind::kRocksDBRibbon>, "ribbonfilter:14"},
};

std::string NameOf(const testing::TestParamInfo<LevelKind>& test) {
  return test.param.name;
}

class LevelHeaderTest : public LevelFiltersTest {};

INSTANTIATE_TEST_SUITE_P(Header, LevelFiltersTest, testing::ValuesIn(kHeaders),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Kinds, LevelFiltersTest, testing::ValuesIn(kOurs),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Header, LevelHeaderTest, testing::ValuesIn(kHeaders),
                         NameOf);

TEST_P(LevelFiltersTest, FewerFalsePositivesInTheSameMemory) {
  double bits[2];
  uint64_t false_positives[2];
  for (const bool by_level : {false, true}) {
    ScratchDatabase database(
        TreeWith(by_level ? ByLevel(6) : OurPolicy(6, GetParam().kind)));
    WriteTree(&database);
    std::string value;
    for (int i = 1; i < kKeys / 16; i += 2) {
      EXPECT_TRUE(database->Get({}, KeyAt(i), &value).IsNotFound());
    }
    EXPECT_NE(database.Ticker(rocksdb::BLOOM_FILTER_USEFUL), 0u);
    bits[by_level] = database.FilterBitsPerKey();
    false_positives[by_level] =
        database.Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  }
  EXPECT_LE(bits[true], 1.03 * bits[false]);
  EXPECT_LT(static_cast<double>(false_positives[true]),
            0.8 * static_cast<double>(false_positives[false]));
}

TEST_P(LevelFiltersTest, HitsTakeTheLastLevelsBits) {
  ScratchDatabase database(TreeWith(ByLevel(10)));
  WriteTree(&database);
  const double before = database.FilterBitsPerKey();
  for (const double hits : {0.9, 1.0}) {
    ScratchDatabase with_hits(TreeWith(ByLevel(10, hits)));
    WriteTree(&with_hits);
    EXPECT_LT(with_hits.FilterBitsPerKey(), before - (hits == 1 ? 5 : 2));
    ExpectAllFound(with_hits, 0, kKeys / 16);
  }
}

TEST_P(LevelFiltersTest, OptionsNameRocksDBsPolicyWhichReadsTheFilters) {
  ScratchDatabase database(TreeWith(ByLevel(10)));
  WriteTree(&database);
  for (const auto& table : database.Tables()) {
    EXPECT_EQ(table->filter_policy_name, GetParam().table_name);
  }
  rocksdb::ConfigOptions config;
  config.input_strings_escaped = true;
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  ASSERT_TRUE(rocksdb::LoadLatestOptions(config, database.path(), &db_options,
                                         &families)
                  .ok());
  const PolicyPtr saved =
      families[0]
          .options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
          ->filter_policy;
  ASSERT_NE(saved, nullptr);
  const std::string id = saved->GetId();
  EXPECT_EQ(id, ByLevel(10)->ToString(config));
  EXPECT_EQ(id.rfind(GetParam().saved_as, 0), 0u) << id;
  for (const PolicyPtr& policy :
       {saved, PolicyPtr(rocksdb::NewBloomFilterPolicy(10))}) {
    database.Reopen(TreeWith(policy));
    ExpectFiltered(database, 0, kKeys / 16);
  }
}

TEST_P(LevelFiltersTest, NoFilterForNoBits) {
  for (const double bits : {0.0, 0.4}) {
    EXPECT_EQ(NewBuilder(ByLevel(bits)), nullptr) << bits;
  }
  EXPECT_NE(NewBuilder(ByLevel(0.5)), nullptr);
}

TEST_P(LevelFiltersTest, BitsAreMemory) {
  const Keys keys = MakeKeys("key", 100000);
  for (const double bits : {2.0, 3.0, 5.0, 7.0, 10.0, 12.5, 16.0}) {
    const double built =
        8.0 * static_cast<double>(BuildBlock(ByLevel(bits), keys).size()) /
        static_cast<double>(keys.size());
    EXPECT_NEAR(built / bits, 1, 0.02) << bits;
  }
}

TEST_P(LevelHeaderTest, WhatIsOutOfRangeCountsAsTheNearest) {
  const auto printed = [&](double bits, double hits) {
    return ByLevel(bits, hits)->GetPrintableOptions();
  };
  EXPECT_EQ(printed(10, 0.9), "bits_per_key=10.000000;hits=0.900000");
  EXPECT_EQ(printed(1000, 2), printed(100, 1));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(printed(-1, -1), printed(0, 0));
  EXPECT_EQ(printed(nan, nan), printed(0, 0));
}

TEST_P(LevelHeaderTest, TheLogHasBitsAndHitsOnce) {
  LinesLogged log;
  const PolicyPtr policy = ByLevel(10, 0.5);
  for (int i = 0; i < 3; ++i) NewBuilder(policy, {}, &log);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0],
            GetParam().table_name +
                std::string(": bits_per_key=10.000000;hits=0.500000"));
  ASSERT_TRUE(policy->ValidateOptions({}, {}).ok());
  NewBuilder(policy, {}, &log);
  EXPECT_EQ(log.lines.size(), 2u);  // a database was opened
}

}  // namespace
}  // namespace oneline
