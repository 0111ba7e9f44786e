// Tables at the limits of what they hold: one key, and keys of no byte, 64 KiB
// and 1 MiB, with each layout on disk.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "table/block/filter_block.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/filter_blocks.h"

namespace oneline {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;

using Keys = std::vector<std::string>;

class KeySizesTest : public testing::TestWithParam<TableLayout> {
 protected:
  void WriteTable(const Keys& keys) {
    for (const std::string& key : keys) {
      const Status status = database_->Put(rocksdb::WriteOptions(), key, "v");
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
    const Status status = database_->Flush(rocksdb::FlushOptions());
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(database_.TableFiles().size(), 1u);
  }

  // By Get and by MultiGet.
  void Expect(const Keys& keys, bool found) {
    auto* const family = database_->DefaultColumnFamily();
    for (const std::string& key : keys) {
      const Slice slice = key;
      PinnableSlice value, value_of_batch;
      Status of_batch;
      const Status status =
          database_->Get(ReadOptions(), family, slice, &value);
      database_->MultiGet(ReadOptions(), family, 1, &slice, &value_of_batch,
                          &of_batch);
      for (const Status& answer : {status, of_batch}) {
        EXPECT_EQ(answer.ok(), found) << answer.ToString();
        EXPECT_EQ(answer.IsNotFound(), !found) << answer.ToString();
      }
    }
  }

  uint64_t Useful() const {
    return database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
           database_.PrefixUseful();
  }

  const rocksdb::Options options_ =
      OptionsFor(GetParam(), PolicyFor(GetParam()));
  ScratchDatabase database_ = ScratchDatabase(options_);
};

INSTANTIATE_TEST_SUITE_P(Layouts, KeySizesTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

TEST_P(KeySizesTest, OneKey) {
  WriteTable({KeyAt(1)});
  Expect({KeyAt(1)}, true);
  Expect({KeyAt(0), KeyAt(1) + "/", KeyAt(2)}, false);
  const std::vector<std::string> blocks =
      BlocksOf(database_.TableFiles().at(0));
  ASSERT_EQ(blocks.size(), 1u);
  const std::optional<Trailer> trailer = DecodeTrailer(blocks[0]);
  ASSERT_TRUE(trailer.has_value());
  EXPECT_EQ(trailer->num_lines, 1u);
  database_.Reopen(options_);
  Expect({KeyAt(1)}, true);
}

// The empty key has no prefix.
TEST_P(KeySizesTest, EmptyKey) {
  WriteTable({"", KeyAt(1)});
  Expect({"", KeyAt(1)}, true);
  Expect({KeyAt(0)}, false);
  database_.Reopen(options_);
  Expect({"", KeyAt(1)}, true);
}

// Keys that differ at the beginning, and others that differ only at the end.
TEST_P(KeySizesTest, LongKeys) {
  Keys present, absent;
  for (const size_t bytes : {(size_t{64} << 10) - 1, size_t{64} << 10,
                             (size_t{64} << 10) + 1, size_t{1} << 20}) {
    const std::string filling(bytes - KeyAt(0).size(), 'k');
    for (int i = 0; i < 8; ++i) {
      Keys& keys = i % 2 == 0 ? present : absent;
      keys.push_back(KeyAt(i) + filling);
      keys.push_back(filling + KeyAt(i));
    }
  }
  WriteTable(present);
  const uint64_t before = Useful();
  Expect(absent, false);
  // Each key twice. With prefixes alone, half of the keys can be told apart.
  EXPECT_GE(Useful() - before,
            absent.size() * (GetParam().whole_keys ? 2 : 1) * 0.8);
  Expect(present, true);
  database_.Reopen(options_);
  Expect(present, true);
}

}  // namespace
}  // namespace oneline
