// Tests of filter_policy/rocksdb/rocksdb_live_tables.h.

#include "filter_policy/rocksdb/rocksdb_live_tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "table/block/filter_block.h"

namespace oneline {
namespace {

constexpr size_t kBlockBytes = 1000;
constexpr double kMergedBits = 12;  // per key

Trailer TrailerOf(uint8_t level, uint32_t keys = 100,
                  const std::string& family = "default") {
  Trailer trailer;
  trailer.num_keys = keys;
  trailer.provenance.level = level;
  trailer.provenance.family = FamilyTag(family);
  return trailer;
}

class LiveTablesTest : public testing::Test {
 protected:
  std::shared_ptr<const void> Add(const Trailer& trailer) {
    return tables_->Add(trailer, kBlockBytes);
  }
  void MergeInto(int level, const std::string& family = "default") {
    tables_->MergeInto(FamilyTag(family), level, kMergedBits);
  }
  TreeTables Of(const std::string& family = "default") const {
    return tables_->Of(FamilyTag(family));
  }

  std::shared_ptr<LiveTables> tables_ = std::make_shared<LiveTables>();
};

TEST_F(LiveTablesTest, TablesCountAsLongAsTheirTokens) {
  EXPECT_TRUE(Of().empty());
  auto a = Add(TrailerOf(6));
  auto b = Add(TrailerOf(6, 50));
  auto c = Add(TrailerOf(0, 1));
  EXPECT_EQ(Of().size(), 2u);
  EXPECT_EQ(Of()[6].tables, 2);
  EXPECT_EQ(Of()[6].keys, 150);
  EXPECT_EQ(Of()[6].filter_bits, 2 * 8 * kBlockBytes);
  a.reset();
  EXPECT_EQ(Of()[6].keys, 50);
  b.reset();
  EXPECT_EQ(Of().count(6), 0u);
  EXPECT_EQ(Of()[0].keys, 1);
}

TEST_F(LiveTablesTest, ColumnFamiliesHaveTreesOfTheirOwn) {
  const auto a = Add(TrailerOf(6, 7, "a"));
  const auto b = Add(TrailerOf(6, 8, "b"));
  EXPECT_EQ(Of("a")[6].keys, 7);
  EXPECT_EQ(Of("b")[6].keys, 8);
  EXPECT_TRUE(Of("c").empty());
}

TEST_F(LiveTablesTest, FilesFromOutsideAreAtTheBottom) {
  const auto outside = Add(TrailerOf(kUnknownLevel, 5, ""));
  EXPECT_EQ(Of("a")[1].keys, 5);
  const auto b = Add(TrailerOf(4, 10, "b"));
  EXPECT_EQ(Of("b")[4].keys, 15);
  const auto own = Add(TrailerOf(kUnknownLevel, 1, "b"));
  EXPECT_EQ(Of("b")[4].keys, 16);
  EXPECT_EQ(Of("b")[4].tables, 3);
}

TEST_F(LiveTablesTest, RemembersTheKeysOfLevel0) {
  EXPECT_EQ(tables_->Level0Keys(FamilyTag("default")), 0);
  Add(TrailerOf(0, 100));
  Add(TrailerOf(1, 1000));
  Add(TrailerOf(0, 7, "other"));
  EXPECT_EQ(tables_->Level0Keys(FamilyTag("default")), 100);
  Add(TrailerOf(0, 20));
  EXPECT_EQ(tables_->Level0Keys(FamilyTag("default")), 80);
}

// Until one of the merged tables is closed.
TEST_F(LiveTablesTest, TablesThatAreMergedCountAsTheResult) {
  const auto below = Add(TrailerOf(6, 1000));
  auto a = Add(TrailerOf(5, 10));
  auto b = Add(TrailerOf(0, 5));
  MergeInto(5);
  EXPECT_EQ(Of().count(0), 0u);
  EXPECT_EQ(Of()[5].keys, 15);
  EXPECT_EQ(Of()[5].tables, 2);
  EXPECT_EQ(Of()[5].filter_bits, 15 * kMergedBits);
  EXPECT_EQ(Of()[6].keys, 1000);
  // What comes while they are merged is not among them, but for the result.
  const auto later = Add(TrailerOf(0, 3));
  MergeInto(5);
  EXPECT_EQ(Of()[0].keys, 3);
  const auto half = Add(TrailerOf(5, 9));
  EXPECT_EQ(Of()[5].keys, 15);
  EXPECT_EQ(Of()[5].filter_bits, 8 * kBlockBytes + 6 * kMergedBits);
  const auto other_half = Add(TrailerOf(5, 7));
  EXPECT_EQ(Of()[5].keys, 16);
  EXPECT_EQ(Of()[5].filter_bits, 2 * 8 * kBlockBytes);
  a.reset();
  EXPECT_EQ(Of()[5].keys, 16);
  EXPECT_EQ(Of()[0].keys, 5 + 3);
  b.reset();
  EXPECT_EQ(Of()[0].keys, 3);
}

TEST_F(LiveTablesTest, MergesAboveAMergeHaveOnlyWhatCameLater) {
  auto old = Add(TrailerOf(0, 5));
  auto large = Add(TrailerOf(6, 100));
  MergeInto(6);
  auto young = Add(TrailerOf(0, 7));
  MergeInto(2);
  EXPECT_EQ(Of().size(), 2u);
  EXPECT_EQ(Of()[2].keys, 7);
  EXPECT_EQ(Of()[6].keys, 105);
  young.reset();  // the end of the merge above
  EXPECT_EQ(Of().size(), 1u);
  EXPECT_EQ(Of()[6].keys, 105);
  young = Add(TrailerOf(0, 7));
  MergeInto(2);
  old.reset();  // the end of both
  large.reset();
  EXPECT_EQ(Of().size(), 1u);
  EXPECT_EQ(Of()[0].keys, 7);
}

TEST_F(LiveTablesTest, AMergeTakesOverThoseAboveIt) {
  const auto a = Add(TrailerOf(0, 5));
  const auto b = Add(TrailerOf(4, 7));
  MergeInto(4);
  MergeInto(6);
  EXPECT_EQ(Of().size(), 1u);
  EXPECT_EQ(Of()[6].keys, 12);
  // Of another family, and of an empty one.
  const auto other = Add(TrailerOf(0, 5, "other"));
  MergeInto(6, "empty");
  EXPECT_EQ(Of("other")[0].keys, 5);
  EXPECT_TRUE(Of("empty").empty());
}

// As readers do in a block cache.
TEST_F(LiveTablesTest, TokensMayOutliveTheRest) {
  auto token = Add(TrailerOf(6));
  const std::weak_ptr<LiveTables> tables = tables_;
  tables_.reset();
  EXPECT_FALSE(tables.expired());
  token.reset();
  EXPECT_TRUE(tables.expired());
}

TEST_F(LiveTablesTest, ManyThreadsMayOpenAndCloseTables) {
  std::vector<std::thread> threads;
  for (uint8_t level = 0; level < 4; ++level) {
    threads.emplace_back([this, level] {
      std::shared_ptr<const void> last;
      for (int i = 0; i < 2000; ++i) {
        last = Add(TrailerOf(level));
        MergeInto(1 + i % 3);
        Of();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(Of().empty());
}

}  // namespace
}  // namespace oneline
