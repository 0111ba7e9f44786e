// Tests of filter_policy/rocksdb/build_check.h in a program where keys are
// hashed otherwise than the format says: RocksDB's Bloom filters are written in
// place of ours, and ours are not read.

#include "filter_policy/rocksdb/build_check.h"
#include "oneline/refilter.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/lines_logged.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {

// In place of the one in table/hash/key_hash.cc.
bool IsTheKeyHash(uint64_t (*)(std::string_view, uint64_t)) { return false; }

namespace {

TEST(SelfCheckTest, RocksDBsBloomOfTheSameBitsIsWritten) {
  const PolicyPtr policy = OurPolicy(12);
  LinesLogged log;
  rocksdb::BlockBasedTableOptions table;
  table.optimize_filters_for_memory = false;
  const BuilderPtr builder = NewBuilder(policy, table, &log);
  const Keys keys = MakeKeys("key", 10000);
  AddKeys(keys, builder.get());
  const std::string block = FinishBlock(builder.get());
  EXPECT_FALSE(HasMagic(block));
  EXPECT_NEAR(8.0 * static_cast<double>(block.size()) / 10000, 12, 0.1);
  const ReaderPtr reader = NewReader(policy, block);
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  EXPECT_LT(CountMatches(MakeKeys("absent", 10000), reader.get()), 200u);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_NE(log.lines[0].find(kWrongHash), std::string::npos) << log.lines[0];
}

TEST(SelfCheckTest, OurFiltersAreNotReadAndRefilterRefuses) {
  uint8_t block[kTrailerBytes];
  EncodeTrailer(Trailer(), block);  // of a table without keys: says "no"
  EXPECT_EQ(
      NewReader(OurPolicy(10),
                rocksdb::Slice(reinterpret_cast<char*>(block), sizeof(block))),
      nullptr);
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 100);
  EXPECT_TRUE(
      Refilter(database.get(), RefilterOptions(), nullptr).IsNotSupported());
}

}  // namespace
}  // namespace oneline
