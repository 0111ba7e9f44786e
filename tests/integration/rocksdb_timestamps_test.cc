// Keys with user timestamps: filters have the keys without them, so a lookup
// at any time finds its key, by Get, MultiGet and prefixes.

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using rocksdb::PinnableSlice;
using rocksdb::ReadOptions;
using rocksdb::Slice;
using rocksdb::Status;

constexpr int kKeys = 2000;  // half of them are put

std::string Timestamp(uint64_t time) {
  return {reinterpret_cast<const char*>(&time), sizeof(time)};
}

class TimestampsTest : public testing::TestWithParam<TableLayout> {
 protected:
  TimestampsTest() : database_(Options()) {
    for (const uint64_t time : {10, 20}) {
      for (int i = 0; i < kKeys; i += 2) {
        EXPECT_TRUE(database_
                        ->Put({}, KeyAt(i), Timestamp(time),
                              ValueAt(i) + " at " + std::to_string(time))
                        .ok());
      }
      EXPECT_TRUE(database_->Flush({}).ok());
    }
  }

  static rocksdb::Options Options() {
    rocksdb::Options options = OptionsFor(GetParam(), PolicyFor(GetParam()));
    // In no public header before 8.0.
    EXPECT_TRUE(rocksdb::Comparator::CreateFromString(
                    rocksdb::ConfigOptions(),
                    "leveldb.BytewiseComparator.u64ts", &options.comparator)
                    .ok());
    return options;
  }

  // At this time, with the value of `written`; 0 if it was not there yet.
  void ExpectFoundAt(uint64_t time, uint64_t written) {
    SCOPED_TRACE(time);
    const std::string timestamp = Timestamp(time);
    const Slice slice = timestamp;
    ReadOptions options;
    options.timestamp = &slice;
    for (int first = 0; first < kKeys && !HasFailure(); first += 20) {
      std::vector<std::string> keys;
      for (int i = first; i < first + 20; ++i) keys.push_back(KeyAt(i));
      const std::vector<Slice> slices(keys.begin(), keys.end());
      std::vector<PinnableSlice> values(keys.size());
      std::vector<Status> statuses(keys.size());
      database_->MultiGet(options, database_->DefaultColumnFamily(),
                          keys.size(), slices.data(), values.data(),
                          statuses.data());
      for (size_t i = 0; i < keys.size(); ++i) {
        const int key = first + static_cast<int>(i);
        PinnableSlice value;
        const Status status = database_->Get(
            options, database_->DefaultColumnFamily(), keys[i], &value);
        const bool there = key % 2 == 0 && written != 0;
        ASSERT_EQ(status.ok(), there) << keys[i] << status.ToString();
        ASSERT_EQ(statuses[i].ok(), there) << keys[i];
        if (!there) continue;
        EXPECT_EQ(value, ValueAt(key) + " at " + std::to_string(written));
        EXPECT_EQ(values[i], value);
      }
    }
  }

  void ExpectPrefixesFound() {
    const std::string timestamp = Timestamp(30);
    const Slice slice = timestamp;
    ReadOptions options;
    options.timestamp = &slice;
    options.prefix_same_as_start = true;
    const std::unique_ptr<rocksdb::Iterator> it(
        database_->NewIterator(options));
    const uint64_t before = database_.PrefixUseful();
    for (int i = 0; i < kKeys; ++i) {
      it->Seek(KeyAt(i).substr(0, kPrefixBytes));
      ASSERT_EQ(it->Valid(), i % 2 == 0) << KeyAt(i);
    }
    EXPECT_GE(database_.PrefixUseful() - before, 0.9 * kKeys / 2);
  }

  ScratchDatabase database_;
};

INSTANTIATE_TEST_SUITE_P(Layouts, TimestampsTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

TEST_P(TimestampsTest, KeysAreFoundAtAnyTime) {
  for (const bool compacted : {false, true}) {
    if (compacted) database_.CompactAll();
    const auto useful = [&] {
      return database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
             database_.PrefixUseful();
    };
    const uint64_t before = useful();
    ExpectFoundAt(5, 0);
    ExpectFoundAt(10, 10);
    ExpectFoundAt(15, 10);
    ExpectFoundAt(30, 20);
    // Each absent key eight times, by one filter at least; but RocksDB 9.10
    // asks some 7,000 times of 8,000.
    EXPECT_GE(useful() - before, 0.8 * 8 * kKeys / 2);
    if (GetParam().prefixes) ExpectPrefixesFound();
  }
}

}  // namespace
}  // namespace oneline
