// Tests of what a filter's trailer says of its table: the level that the table
// was written to, and the bits per key asked for, as RocksDB writes tables in
// all the ways that it has.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using Texts = std::vector<std::string>;

constexpr int kTrailerKeys = 2000;

// "L2" or "unknown".
std::string Text(const Trailer& trailer) {
  return trailer.level == kUnknownLevel ? "unknown"
                                        : "L" + std::to_string(trailer.level);
}

// The same for a table file; "different" if its partitions differ.
std::string WrittenTo(const std::string& file) {
  const std::vector<Trailer> trailers = TrailersInFile(file);
  if (trailers.empty()) return "no filter";
  const std::string first = Text(trailers[0]);
  for (const Trailer& trailer : trailers) {
    if (Text(trailer) != first) return "different";
  }
  return first;
}

// For each table the level that it is in and the one that it was written to:
// "L6: L5". Sorted.
Texts TablesOf(const ScratchDatabase& database) {
  std::vector<rocksdb::LiveFileMetaData> files;
  database->GetLiveFilesMetaData(&files);
  Texts tables;
  for (const rocksdb::LiveFileMetaData& file : files) {
    tables.push_back("L" + std::to_string(file.level) + ": " +
                     WrittenTo(file.db_path + file.name));
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

class TrailerTest : public testing::TestWithParam<TableLayout> {
 protected:
  // Bits by level, of which a file from outside knows nothing.
  rocksdb::Options Options() const {
    return OptionsFor(
        GetParam(),
        PolicyNamed(GetParam().bloom ? "{id=oneline;kind=bloom}" : "oneline"));
  }
};

INSTANTIATE_TEST_SUITE_P(Layouts, TrailerTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

TEST_P(TrailerTest, FlushesAndCompactions) {
  ScratchDatabase database(Options());
  for (const int level : {5, 4, 2, 0})
    database.WriteTableTo(level, 0, kTrailerKeys);
  EXPECT_EQ(TablesOf(database),
            (Texts{"L0: L0", "L2: L2", "L4: L4", "L5: L5"}));
  // Other keys: what is below has none in their range.
  database.CompactLevel0To(1);
  database.WriteTableTo(3, kTrailerKeys, 2 * kTrailerKeys);
  EXPECT_EQ(TablesOf(database),
            (Texts{"L1: L1", "L2: L2", "L3: L3", "L4: L4", "L5: L5"}));
  database.CompactAll();
  for (const std::string& table : TablesOf(database)) {
    EXPECT_EQ(table, "L5: L5");
  }
}

// Recovery writes keys that are in the log alone into a table of level 0. Its
// keys are in no other, so it is moved to the next level as it is.
TEST_P(TrailerTest, RecoveredAndMovedTables) {
  ScratchDatabase database(Options());
  database.Put(0, kTrailerKeys);
  database.Reopen(Options());
  EXPECT_EQ(TablesOf(database), Texts{"L0: L0"});
  ASSERT_TRUE(IsOk(database->CompactRange(rocksdb::CompactRangeOptions(),
                                          nullptr, nullptr)));
  EXPECT_EQ(TablesOf(database), Texts{"L1: L0"});
}

TEST_P(TrailerTest, TablesFromOutsideAreUnknown) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("sst");
  WriteTableFile(Options(), file, kTrailerKeys);
  EXPECT_EQ(WrittenTo(file), "unknown");
  EXPECT_NEAR(TrailersInFile(file).at(0).asked_bits_per_key, 10, 0.002);
  ScratchDatabase database(Options());
  ASSERT_TRUE(IsOk(database->IngestExternalFile({file}, {})));
  EXPECT_EQ(TablesOf(database), Texts{"L6: unknown"});
  database.CompactAll();
  EXPECT_EQ(TablesOf(database), Texts{"L6: L6"});
}

// Any level that RocksDB may tell, and none.
TEST(LevelOfContextTest, LevelsAbove254AreUnknown) {
  const rocksdb::BlockBasedTableOptions table;
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    for (const int level : {-1, 0, 1, 6, 253, 254, 255, 256, 1000}) {
      rocksdb::FilterBuildingContext context(table);
      context.level_at_creation = level;
      const BuilderPtr builder(
          OurPolicy(10, kind)->GetBuilderWithContext(context));
      builder->AddKey("key");
      const auto trailer = DecodeTrailer(FinishBlock(builder.get()));
      ASSERT_TRUE(trailer.has_value());
      EXPECT_EQ(trailer->level,
                level >= 0 && level <= 254 ? level : kUnknownLevel);
    }
  }
}

}  // namespace
}  // namespace oneline
