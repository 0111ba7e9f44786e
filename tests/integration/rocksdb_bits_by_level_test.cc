// Tests of bits_by_level, hits, level_bits_per_key and bloom_before_level in
// real databases: the filters of each level have the bits per key and the kind
// that they should have, in each compaction style.

#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/kinds_of_tables.h"

namespace oneline {
namespace {

using Bits = std::vector<double>;
using rocksdb::TableFileCreationReason;

// Half of them are put. Filters are rounded up to whole lines of 512 bits,
// which is at most 512 / (kKeys / 2) bits per key.
constexpr int kKeys = 8000;
constexpr double kRounding = 0.15;

rocksdb::Options TreeWith(const PolicyPtr& policy, double size_ratio = 4) {
  rocksdb::Options options = OptionsWith(policy);
  options.max_bytes_for_level_multiplier = size_ratio;
  options.level_compaction_dynamic_level_bytes = true;
  return options;
}

void ExpectBits(const ScratchDatabase& database,
                const std::map<int, Bits>& expected) {
  const std::map<int, Bits> bits = BitsOfTables(database);
  ASSERT_EQ(bits.size(), expected.size());
  for (const auto& [level, tables] : expected) {
    ASSERT_EQ(bits.count(level), 1u) << "level " << level;
    ASSERT_EQ(bits.at(level).size(), tables.size()) << "level " << level;
    for (size_t i = 0; i < tables.size(); ++i) {
      EXPECT_NEAR(bits.at(level)[i], tables[i], kRounding)
          << "level " << level << ", table " << i;
    }
  }
}

// A tree, and what its levels must have. (rocksdb_level_bits_test.cc has the
// rule; here it is whether RocksDB tells what the rule needs.)
struct Tree {
  const char* name;
  const char* policy;
  rocksdb::CompactionStyle style;
  std::vector<int> levels;  // with a table each of the same keys, from below
  std::map<int, Bits> bits;
  double size_ratio = 4;
};

std::ostream& operator<<(std::ostream& out, const Tree& tree) {
  return out << tree.name;
}

constexpr char kByLevel[] = "{id=oneline;bits_per_key=10}";
constexpr char kByHand[] = "{id=oneline;level_bits_per_key=20:16:0:12.5:8}";

class LevelsOfTreeTest : public testing::TestWithParam<Tree> {};

INSTANTIATE_TEST_SUITE_P(
    Trees, LevelsOfTreeTest,
    testing::Values(
        Tree{"Leveled",
             kByLevel,
             rocksdb::kCompactionStyleLevel,
             {6, 5, 4, 0, 0},
             {{0, {14, 14}}, {4, {13.85}}, {5, {11.54}}, {6, {9.23}}}},
        // The rate is that of the last level, and no level has a higher one.
        Tree{"LeveledForARate",
             "{id=oneline;fp_rate=0.01}",
             rocksdb::kCompactionStyleLevel,
             {6, 5, 0},
             {{0, {11.02}}, {5, {10.86}}, {6, {7.02}}},
             10},
        Tree{"LeveledByHand",
             kByHand,
             rocksdb::kCompactionStyleLevel,
             {6, 4, 3, 2, 1, 0},
             {{0, {20}}, {1, {16}}, {2, {0}}, {3, {12.5}}, {4, {8}}, {6, {8}}}},
        Tree{"LeveledWithHitsAlone",
             "{id=oneline;hits=1}",
             rocksdb::kCompactionStyleLevel,
             {6, 5, 0},
             {{0, {14}}, {5, {11.54}}, {6, {0}}}},
        Tree{"Universal",
             kByLevel,
             rocksdb::kCompactionStyleUniversal,
             {6, 5, 4, 0},
             {{0, {14}}, {4, {10.39}}, {5, {9.61}}, {6, {9.61}}}},
        Tree{"FifoByHand",
             kByHand,
             rocksdb::kCompactionStyleFIFO,
             {0, 0},
             {{0, {20, 20}}}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(LevelsOfTreeTest, HaveTheirBits) {
  const Tree& tree = GetParam();
  rocksdb::Options options =
      TreeWith(PolicyNamed(tree.policy), tree.size_ratio);
  options.compaction_style = tree.style;
  options.max_open_files = -1;  // as FIFO requires
  ScratchDatabase database(options);
  for (const int level : tree.levels) database.WriteTableTo(level, 0, kKeys);
  ExpectBits(database, tree.bits);
  ExpectFiltered(database, 0, kKeys);
}

TEST(BitsByLevelTest, BothKindsHaveTheirBits) {
  FilterOptions filter;
  filter.bits_per_key = 10;
  filter.bloom_before_level = 5;
  ScratchDatabase database(TreeWith(PolicyWith(filter)));
  for (const int level : {6, 5, 4, 0}) database.WriteTableTo(level, 0, kKeys);
  ExpectBits(database, {{0, {14}}, {4, {13.85}}, {5, {11.54}}, {6, {9.23}}});
  EXPECT_EQ(KindsOfTables(database),
            (std::vector<std::string>{"L0 bloom", "L4 bloom", "L5 ribbon",
                                      "L6 ribbon"}));
  ExpectFiltered(database, 0, kKeys);
}

PolicyPtr BloomBefore(int level, Kind kind = Kind::kRibbon) {
  FilterOptions options;
  options.kind = kind;
  options.bloom_before_level = level;
  return PolicyWith(options);
}

std::string KindBuilt(const PolicyPtr& policy,
                      const rocksdb::FilterBuildingContext& context) {
  const BuilderPtr builder(policy->GetBuilderWithContext(context));
  // For very few keys RocksDB always builds a Bloom filter.
  static const Keys keys = MakeKeys("key", 500);
  AddKeys(keys, builder.get());
  return KindOfFilter(FinishBlock(builder.get()));
}

// Tables of every style, reason and level.
TEST(BloomBeforeLevelTest, EachTableGetsTheKindThatRocksDBGivesIt) {
  const rocksdb::BlockBasedTableOptions table;
  for (const auto style :
       {rocksdb::kCompactionStyleLevel, rocksdb::kCompactionStyleUniversal,
        rocksdb::kCompactionStyleFIFO, rocksdb::kCompactionStyleNone}) {
    for (const auto reason :
         {TableFileCreationReason::kFlush, TableFileCreationReason::kCompaction,
          TableFileCreationReason::kRecovery, TableFileCreationReason::kMisc}) {
      for (int level = -1; level <= 8; ++level) {
        // A flush is always to level 0.
        if (reason == TableFileCreationReason::kFlush && level != 0) continue;
        rocksdb::FilterBuildingContext context(table);
        context.compaction_style = style;
        context.reason = reason;
        context.level_at_creation = level;
        for (int before : {-1, 0, 1, 2, 7, 1000}) {
          EXPECT_EQ(KindBuilt(BloomBefore(before), context),
                    KindBuilt(PolicyNamed("ribbonfilter:10:" +
                                          std::to_string(before)),
                              context))
              << "style " << style << ", reason " << static_cast<int>(reason)
              << ", level " << level << ", bloom_before_level " << before;
          EXPECT_EQ(KindBuilt(BloomBefore(before, Kind::kBloom), context),
                    "bloom");
        }
      }
    }
  }
}

}  // namespace
}  // namespace oneline
