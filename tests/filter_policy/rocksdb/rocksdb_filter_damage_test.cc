// Damaged filters, as RocksDB would pass them to the policy: none may hide a
// key, and damage done while a filter is built must be found.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <algorithm>
#include <functional>
#include <random>
#include <tuple>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

// A block whose magic is damaged is read as one of RocksDB's, and its answers
// are arbitrary. With a fixed seed they are the same in every run.
constexpr uint64_t kSeed = 20240229;

void ExpectAllMatch(const std::string& block, const Keys& keys) {
  const ReaderPtr reader = NewReader(OurPolicy(10), block);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  for (size_t i = 0; i < keys.size(); i += 32) {
    const size_t n = std::min<size_t>(32, keys.size() - i);
    ASSERT_EQ(
        MatchBatch({keys.begin() + i, keys.begin() + i + n}, reader.get()),
        std::vector<bool>(n, true));
  }
}

class DamageTest : public testing::TestWithParam<std::tuple<size_t, Kind>> {
 protected:
  const Keys keys_ = MakeKeys("key", std::get<0>(GetParam()));
  const std::string block_ =
      BuildBlock(OurPolicy(10, std::get<1>(GetParam()), kSeed), keys_);
};

INSTANTIATE_TEST_SUITE_P(
    Keys, DamageTest,
    testing::Combine(testing::Values(1, 2, 40, 51, 52, 75, 256, 1000),
                     testing::Values(Kind::kRibbon, Kind::kBloom)));

TEST_P(DamageTest, NoTruncationHidesAKey) {
  for (size_t size = 0; size < block_.size(); ++size) {
    SCOPED_TRACE(testing::Message() << size << " of " << block_.size());
    ExpectAllMatch(block_.substr(0, size), keys_);
  }
}

// If a byte of the magic is changed, RocksDB's own reader answers.
TEST_P(DamageTest, NoChangedByteOfTheTrailerHidesAKey) {
  for (size_t at = block_.size() - kTrailerBytes; at < block_.size(); ++at) {
    for (int change = 1; change < 256;
         change = kSlow ? 2 * change : change + 1) {
      SCOPED_TRACE(testing::Message() << "byte " << at << " xor " << change);
      std::string damaged = block_;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      ExpectAllMatch(damaged, keys_);
    }
  }
}

TEST_P(DamageTest, NoExcessHidesAKey) {
  for (size_t excess = 1; excess <= 200; ++excess) {
    ExpectAllMatch(std::string(excess, '\0') + block_, keys_);
    ExpectAllMatch(block_ + std::string(excess, '\0'), keys_);
  }
}

// RocksDB without this library answers "maybe" for every key of our blocks.
TEST_P(DamageTest, RocksDBPassesAllKeysOfOurBlocks) {
  const Keys absent = MakeKeys("absent", 1000);
  for (const char* name : {"bloomfilter:10:false", "ribbonfilter:10:-1",
                           "rocksdb.BuiltinBloomFilter"}) {
    const ReaderPtr reader = NewReader(PolicyNamed(name), block_);
    EXPECT_EQ(CountMatches(keys_, reader.get()), keys_.size());
    EXPECT_EQ(CountMatches(absent, reader.get()), absent.size());
  }
}

TEST(FilterDamageTest, RocksDBPassesAllKeysOfOurEmptyBlock) {
  const std::string block = BuildBlock(OurPolicy(10), {});
  const ReaderPtr reader = NewReader(PolicyNamed("bloomfilter:10"), block);
  EXPECT_EQ(CountMatches(MakeKeys("k", 100), reader.get()), 100u);
}

// Clears one bit that is set in the lines of the block, but not in the first
// two bytes of a line: they are the header of a Ribbon's line, which may pass
// the same keys without one of their bits.
std::string WithoutOneBit(std::string block, std::mt19937_64& random) {
  const size_t lines_bytes = block.size() - kTrailerBytes;
  for (;;) {
    const size_t at = random() % lines_bytes;
    char& byte = block[at];
    if (byte == 0 || at % 64 < 2) continue;
    byte = static_cast<char>(byte & (byte - 1));
    return block;
  }
}

Status VerifyTampered(bool verify,
                      const std::function<void(std::string*)>& tamper,
                      Kind kind = Kind::kRibbon) {
  const BuilderPtr builder = NewBuilder(OurPolicy(10, kind), verify);
  AddKeys(MakeKeys("key", 500), builder.get());
  std::string block = FinishBlock(builder.get());
  tamper(&block);
  return builder->MaybePostVerify(block);
}

TEST(FilterDamageTest, MaybePostVerifyFindsALostBit) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < (kSlow ? 50 : 200); ++round) {
    const auto lose = [&](std::string* block) {
      *block = WithoutOneBit(*block, random);
    };
    for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
      const Status status = VerifyTampered(true, lose, kind);
      ASSERT_TRUE(status.IsCorruption()) << status.ToString();
      EXPECT_NE(status.ToString().find("oneline"), std::string::npos);
      EXPECT_TRUE(VerifyTampered(false, lose, kind).ok());
    }
  }
}

TEST(FilterDamageTest, MaybePostVerifyFindsADamagedTrailer) {
  for (size_t from_end = 1; from_end <= kTrailerBytes; ++from_end) {
    for (int bit = 0; bit < 8; ++bit) {
      const Status status = VerifyTampered(true, [&](std::string* block) {
        char& byte = (*block)[block->size() - from_end];
        byte = static_cast<char>(byte ^ (1 << bit));
      });
      EXPECT_TRUE(status.IsCorruption()) << from_end << ", bit " << bit;
    }
  }
}

// A builder can be used on after a failed verification.
TEST(FilterDamageTest, BuilderGoesOnAfterCorruption) {
  const BuilderPtr builder = NewBuilder(OurPolicy(10), true);
  builder->AddKey("a");
  std::string block = FinishBlock(builder.get());
  EXPECT_TRUE(
      builder->MaybePostVerify(std::string(block.size(), '\0')).IsCorruption());
  builder->AddKey("b");
  block = FinishBlock(builder.get());
  EXPECT_TRUE(builder->MaybePostVerify(block).ok());
}

// Our builder, but one bit is cleared between Finish and MaybePostVerify.
class TamperingBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  explicit TamperingBuilder(rocksdb::FilterBitsBuilder* ours) : ours_(ours) {}

  void AddKey(const Slice& key) override { ours_->AddKey(key); }
#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const Slice& key, const Slice& alt) override {
    ours_->AddKeyAndAlt(key, alt);
  }
#endif
  size_t EstimateEntriesAdded() override {
    return ours_->EstimateEntriesAdded();
  }
  Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return ours_->Finish(buf);
  }
  Slice Finish(std::unique_ptr<const char[]>* buf, Status* status) override {
    return ours_->Finish(buf, status);
  }
  Status MaybePostVerify(const Slice& filter) override {
    std::mt19937_64 random;
    return ours_->MaybePostVerify(WithoutOneBit(filter.ToString(), random));
  }
  size_t ApproximateNumEntries(size_t bytes) override {
    return ours_->ApproximateNumEntries(bytes);
  }
#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t num_entries) override {
    return ours_->CalculateSpace(num_entries);
  }
  double EstimatedFpRate(size_t num_entries, size_t bytes) override {
    return ours_->EstimatedFpRate(num_entries, bytes);
  }
#endif

 private:
  const BuilderPtr ours_;
};

class TamperingPolicy final : public rocksdb::FilterPolicy {
 public:
  const char* Name() const override { return "tampering"; }
  const char* CompatibilityName() const override {
    return ours_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return new TamperingBuilder(ours_->GetBuilderWithContext(context));
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& contents) const override {
    return ours_->GetFilterBitsReader(contents);
  }

 private:
  const PolicyPtr ours_ = OurPolicy(10);
};

Status FlushTampered(bool detect, bool partitioned) {
  rocksdb::BlockBasedTableOptions table;
  table.detect_filter_construct_corruption = detect;
  if (partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 256;
  }
  const ScratchDatabase database(
      OptionsWith(std::make_shared<TamperingPolicy>(), table));
  EXPECT_TRUE(
      database->Put(rocksdb::WriteOptions(), KeyAt(0), ValueAt(0)).ok());
  return database->Flush(rocksdb::FlushOptions());
}

TEST(FilterDamageTest, AFilterDamagedInMemoryIsNotWritten) {
  for (bool partitioned : {false, true}) {
    const Status status = FlushTampered(true, partitioned);
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_NE(status.ToString().find("oneline"), std::string::npos)
        << status.ToString();
    EXPECT_TRUE(FlushTampered(false, partitioned).ok());
  }
}

}  // namespace
}  // namespace oneline
