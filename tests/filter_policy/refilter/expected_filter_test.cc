// What Refilter expects of a table's filter where the policy or its size alone
// says little: it must not rewrite the same tables at each call.

#include "filter_policy/refilter/expected_filter.h"

#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "oneline/level_filters.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"

namespace oneline {
namespace {

rocksdb::Options PartitionedOptions(const char* policy, size_t metadata_bytes,
                                    size_t block_bytes = 4096) {
  rocksdb::BlockBasedTableOptions table;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = metadata_bytes;
  table.block_size = block_bytes;
  return OptionsWith(PolicyNamed(policy), table);
}

// Gives the database's only table the filters of each policy, once.
void ExpectEachIsWrittenOnce(const std::vector<rocksdb::Options>& options,
                             ScratchDatabase* database) {
  ExpectNothingToDo(*database);
  for (size_t i = 0; i < options.size(); ++i) {
    SCOPED_TRACE(i);
    database->Reopen(options[i]);
    EXPECT_EQ(RefilterAll(*database).tables_rewritten, 1u);
    ExpectNothingToDo(*database);
  }
}

// Partitions end with those of the index, which a few long keys fill.
TEST(ExpectedFilterTest, ShortPartitionsAreRewrittenOnce) {
  for (const size_t bytes : {512, 4096}) {
    const auto with = [&](const char* policy) {
      return PartitionedOptions(policy, bytes);
    };
    ScratchDatabase database(with("bloomfilter:10:false"));
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(database
                      ->Put({}, KeyAt(2 * i) + std::string(700, 'k'),
                            std::string(300, 'v'))
                      .ok());
    }
    ASSERT_TRUE(database->Flush({}).ok());
    ExpectEachIsWrittenOnce(
        {with("oneline:10"), with("oneline:14"),
         with("{id=oneline;kind=bloom}"), with("bloomfilter:10:false")},
        &database);
  }
}

TEST(ExpectedFilterTest, FiltersOfOtherLibrariesAreKnownByTheirNames) {
  const PolicyPtr first = ForeignPolicy("first");
  ScratchDatabase database(OptionsWith(first), 10000);
  const PolicyPtr ours = PolicyNamed("oneline:10");
  // What one around ours writes is not known.
  const auto around_ours =
      std::make_shared<OuterPolicy>(ours, "Wrapped", ours->CompatibilityName());
  ExpectEachIsWrittenOnce(
      {OptionsWith(ForeignPolicy("second")), OptionsWith(ours),
       OptionsWith(first), OptionsWith(nullptr), OptionsWith(around_ours),
       // Its text is that of RocksDB's, and its bits are not.
       OptionsWith(NewLevelBloomFilterPolicy(10))},
      &database);
}

// RocksDB's filters with bits by level, from the header and as kinds of ours.
struct ByLevel {
  const char* name;
  PolicyPtr (*policy)(double bits_per_key, double hits);
  const char *uniform, *other_kind;
};

class ByLevelTest : public testing::TestWithParam<ByLevel> {
 protected:
  static rocksdb::Options With(const PolicyPtr& policy, bool dynamic = true,
                               bool partitioned = false) {
    rocksdb::BlockBasedTableOptions table;
    table.optimize_filters_for_memory = false;
    if (partitioned) {
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
    }
    rocksdb::Options options = OptionsWith(policy, table);
    options.level_compaction_dynamic_level_bytes = dynamic;
    return options;
  }
  // Of three tables, for which half a bit is more than a few lines.
  static constexpr int kKeys = 24000;
  static void WriteTree(ScratchDatabase* database) {
    for (const int level : {6, 5, 0}) database->WriteTableTo(level, 0, kKeys);
  }
  PolicyPtr Policy(double hits = 0) { return GetParam().policy(10, hits); }
};

INSTANTIATE_TEST_SUITE_P(
    Policies, ByLevelTest,
    testing::Values(ByLevel{"HeaderBloom", &NewLevelBloomFilterPolicy,
                            "bloomfilter:10", "ribbonfilter:15:-1"},
                    ByLevel{"HeaderRibbon", &NewLevelRibbonFilterPolicy,
                            "ribbonfilter:14.63:-1", "bloomfilter:10"},
                    ByLevel{"Bloom", &PolicyByLevel<Kind::kRocksDBBloom>,
                            "bloomfilter:10", "ribbonfilter:15:-1"},
                    ByLevel{"Ribbon", &PolicyByLevel<Kind::kRocksDBRibbon>,
                            "ribbonfilter:14.63:-1", "bloomfilter:10"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(ByLevelTest, ItsOwnTablesAreRight) {
  const struct {
    bool dynamic, partitioned;
    double hits;
  } kCases[] = {{true, false, 0},
                {false, false, 0.9},
                {true, true, 0.9},
                {true, false, 1}};
  for (const auto& [dynamic, partitioned, hits] : kCases) {
    SCOPED_TRACE(testing::Message() << dynamic << partitioned << hits);
    ScratchDatabase database(With(Policy(hits), dynamic, partitioned));
    WriteTree(&database);
    ExpectNothingToDo(database);
    MoveTo(3, database);
    // Of the next opening, whose policy has seen no table.
    database.Reopen(With(Policy(hits), dynamic, partitioned));
    ExpectNothingToDo(database);
  }
}

// In level 0 as many bits as requested can be of a load.
TEST_P(ByLevelTest, OtherFiltersAreFoundOnce) {
  const std::pair<PolicyPtr, size_t> kCases[] = {
      {PolicyNamed(GetParam().uniform), 2},
      {PolicyNamed(GetParam().other_kind), 3},
      {PolicyNamed("oneline:10"), 3},
      {Policy(/*hits=*/0.9), 1},
  };
  for (const auto& [policy, rewritten] : kCases) {
    SCOPED_TRACE(policy->GetId());
    ScratchDatabase database(With(policy));
    WriteTree(&database);
    database.Reopen(With(Policy()));
    EXPECT_EQ(RefilterAll(database).tables_rewritten, rewritten);
    ExpectNothingToDo(database);
    ExpectFiltered(database, 0, 2000);
  }
}

// Programs without it have the policy of the OPTIONS file, whose bits are the
// same in all levels.
TEST_P(ByLevelTest, RocksDBsPolicyOfTheOptionsFileLeavesThem) {
  ScratchDatabase database(With(Policy()));
  WriteTree(&database);
  const std::string saved = Policy()->ToString(rocksdb::ConfigOptions());
  database.Reopen(With(PolicyNamed(saved)));
  ExpectNothingToDo(database);
  database.Reopen(With(PolicyNamed(GetParam().other_kind)));
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 3u);
}

// A partition ends with a data block, which can hold more keys than the limit
// leaves bits for.
TEST(ExpectedFilterTest, PartitionsThatTheLimitCutsAreRewrittenOnce) {
  constexpr size_t kBlockBytes = 64 << 10;
  ScratchDatabase database(
      PartitionedOptions("bloomfilter:10:false", 4096, kBlockBytes), 100000);
  bool is_first = true;
  for (const char* policy : {"{id=oneline;max_filter_bytes=4096}", "oneline:10",
                             "{id=oneline;max_filter_bytes=4096}"}) {
    SCOPED_TRACE(policy);
    database.Reopen(PartitionedOptions(policy, 4096, kBlockBytes));
    const uint64_t rewritten = RefilterAll(database).tables_rewritten;
    // Newer versions of RocksDB end partitions elsewhere, and nothing is cut.
    EXPECT_TRUE(rewritten == 1 || (kRocksDBMajor >= 9 && !is_first));
    is_first = false;
    ExpectNothingToDo(database);
  }
}

// Rounded to whole lines, the sample lies on one side of what a Ribbon needs,
// and the table on the other.
TEST(ExpectedFilterTest, WhereTheKindHangsOnAThousandthOfABitEitherIsRight) {
  const char* const policy =
      "{id=oneline;bits_per_key=2.148;bits_by_level=false}";
  ScratchDatabase database(OptionsWith(PolicyNamed(policy)), 600000);
  ExpectNothingToDo(database);
}

// Flushes of a load have fewer bits than those between compactions.
TEST(ExpectedFilterTest, ALoadIsAsItsFlushesWroteIt) {
  ScratchDatabase database(
      OptionsWith(PolicyNamed("{id=oneline;bloom_before_level=0}")));
  for (int i = 0; i < 6; ++i) {
    database.WriteTable(2000 * i, 2000 * (i + 1));
    MoveTo(6, database);
  }
  ASSERT_EQ(KindsOf(database)["bloom"], 6);
  ASSERT_EQ(TablesByLevel(database)[6], 6);
  ExpectNothingToDo(database);
}

// In all levels: loads and other flushes, bottommost tables and others.
TEST(ExpectedFilterTest, ABitMoreOrLessIsFoundInEveryTable) {
  ScratchDatabase database(Ours());
  database.WriteTableTo(6, 0, 20000);
  database.WriteTableTo(5, 0, 4000);
  database.WriteTable(0, 2000);
  for (const char* policy : {"oneline:11", "oneline:10", "oneline:9"}) {
    SCOPED_TRACE(policy);
    ExpectNothingToDo(database);
    database.Reopen(OptionsWith(PolicyNamed(policy)));
    database.WriteTable(0, 2000);  // of this policy
    EXPECT_EQ(RefilterAll(database).tables_rewritten,
              database.TableFiles().size() - 1);
  }
  ExpectNothingToDo(database);
}

// A compaction gives the next flushes more bits.
TEST(ExpectedFilterTest, AskingCountsNoCompaction) {
  ScratchDatabase database(Ours(), 2000);
  ExpectNothingToDo(database);
  database.WriteTable(0, 2000);
  for (const TableFilter& filter : FiltersOf(database)) {
    EXPECT_EQ(filter.asked_bits_per_key, 10);
  }
}

// RocksDB's Ribbon policy writes Bloom filters in flushes, which can be moved
// down, and Ribbons in compactions.
TEST(ExpectedFilterTest, RocksDBsRibbonWithItsLevelOfFlushes) {
  ScratchDatabase database(Rocksdbs());
  database.WriteTableTo(1, 0, 20000);
  database.WriteTable(0, 20000);
  database.Reopen(OptionsWith(PolicyNamed("ribbonfilter:10")));
  EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
  EXPECT_EQ(KindsOf(database)["RocksDB Ribbon"], 1);
  ScratchDatabase moved(OptionsWith(PolicyNamed("ribbonfilter:10")), 20000);
  MoveTo(3, moved);
  ASSERT_EQ(KindsOf(moved)["RocksDB Bloom"], 1);
  for (const ScratchDatabase* one : {&database, &moved}) {
    ExpectNothingToDo(*one);
  }
}

// Column families that share a policy share what it has seen of their sizes,
// and one that was created since the opening was not seen.
TEST(ExpectedFilterTest, BitsByTheSizesOfOtherFamiliesAreNotWrong) {
  const auto with_ratio = [](double ratio) {
    rocksdb::ColumnFamilyOptions options;
    options.level_compaction_dynamic_level_bytes = true;
    options.max_bytes_for_level_multiplier = ratio;
    return options;
  };
  const rocksdb::ColumnFamilyOptions options = with_ratio(10);
  const auto written_with = [&](const std::vector<double>& seen,
                                bool is_bottommost) {
    LevelBits bits;
    for (const double ratio : seen) bits.ObserveOptions(with_ratio(ratio));
    rocksdb::FilterBuildingContext context{rocksdb::BlockBasedTableOptions()};
    context.compaction_style = rocksdb::kCompactionStyleLevel;
    context.num_levels = 7;
    context.level_at_creation = is_bottommost ? 6 : 5;
    context.is_bottommost = is_bottommost;
    TableFilter table;
    table.keys = 1000;
    table.kind = FoundKind::kRibbon;
    table.written_level = context.level_at_creation;
    table.asked_bits_per_key =
        bits.BitsPerKey(FilterOptions(), context, /*is_load=*/false);
    return table;
  };
  const PolicyPtr shared = PolicyNamed("oneline:10");
  for (const double ratio : {10, 5}) {
    ASSERT_TRUE(shared->ValidateOptions({}, with_ratio(ratio)).ok());
  }
  const FilterExpectations expectations(shared, options, {});
  for (const bool is_bottommost : {false, true}) {
    for (const std::vector<double>& seen :
         std::vector<std::vector<double>>{{10, 5}, {10}, {}}) {
      EXPECT_EQ(expectations.Judge(written_with(seen, is_bottommost), 6, 6),
                Verdict::kAsExpected);
    }
    EXPECT_EQ(expectations.Judge(written_with({3}, is_bottommost), 6, 6),
              Verdict::kOtherSize);
  }
}

}  // namespace
}  // namespace oneline
