// Filters damaged on disk. RocksDB's checksum finds the damage: lookups then go
// on without the filter, and no key is lost. Nor is one where RocksDB's
// checksum is right for the damaged bytes and ours is not. (tests/table/block/
// has every byte.)

#include "table/block/filter_block.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

constexpr int kDamagedKeys = 2000;  // half of them are put

// Whether filters are partitioned.
class DamagedFilterTest : public testing::TestWithParam<bool> {
 protected:
  DamagedFilterTest() : database_(Options()) {
    database_.WriteTable(0, kDamagedKeys);
    file_ = database_.TableFiles().at(0);
    blocks_ = BlocksOf(file_);
    EXPECT_EQ(blocks_.size() > 1, GetParam());
  }

  // Filters are in a cache that keeps nothing, so they are read again.
  static rocksdb::Options Options() {
    TableLayout layout = {"damaged"};
    layout.partitioned = layout.bloom = GetParam();
    layout.cached = true;
    rocksdb::Options options = OptionsFor(layout, PolicyFor(layout));
    auto* const table =
        options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    table->checksum = rocksdb::kCRC32c;  // for ReplaceBlock
    table->block_cache = rocksdb::NewLRUCache(0);
    return options;
  }

  std::mt19937_64 random_ = TestRandom();
  ScratchDatabase database_;
  std::string file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(All, DamagedFilterTest, testing::Bool(),
                         [](const auto& test) {
                           return test.param ? "Partitioned" : "Full";
                         });

TEST_P(DamagedFilterTest, HidesNoKeyWhereTheChecksumTells) {
  ExpectFiltered(database_, 0, kDamagedKeys);
  for (const std::string& block : blocks_) {
    FlipByte(file_, OffsetIn(file_, block) + random_() % block.size());
  }
  ExpectUnfiltered(database_, 0, kDamagedKeys);
  // A compaction replaces the filter.
  database_.CompactAll();
  ExpectFiltered(database_, 0, kDamagedKeys);
}

// The seed, without which all keys would be missed.
TEST_P(DamagedFilterTest, HidesNoKeyWhereTheChecksumIsForged) {
  database_.Close();
  const std::string& block = blocks_[random_() % blocks_.size()];
  std::string damaged = block;
  damaged[block.size() - kTrailerBytes + random_() % 8] ^= 0x10;
  ReplaceBlock(file_, block, damaged);
  // RocksDB hands on no block whose checksum is wrong.
  const std::vector<std::string> read = BlocksOf(file_);
  EXPECT_NE(std::find(read.begin(), read.end(), damaged), read.end());
  database_.Reopen(Options());
  ExpectAllFound(database_, 0, kDamagedKeys);
}

}  // namespace
}  // namespace oneline
