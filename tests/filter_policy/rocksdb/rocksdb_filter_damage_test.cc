// Damaged filters, as RocksDB would pass them to the policy: none may hide a
// key, and damage done while a filter is built must be found.
// (tests/table/block has every byte of every kind; here it matters who reads
// the block.)

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
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

INSTANTIATE_TEST_SUITE_P(Keys, DamageTest,
                         testing::Combine(testing::Values(1, 256),
                                          testing::Values(Kind::kRibbon,
                                                          Kind::kBloom)));

TEST_P(DamageTest, NoOtherLengthHidesAKey) {
  for (size_t size = 0; size < block_.size(); ++size) {
    SCOPED_TRACE(testing::Message() << size << " of " << block_.size());
    ExpectAllMatch(block_.substr(0, size), keys_);
  }
  for (const size_t excess : {1, 5, 64}) {
    ExpectAllMatch(std::string(excess, '\0') + block_, keys_);
    ExpectAllMatch(block_ + std::string(excess, '\0'), keys_);
  }
}

// If a byte of the magic is changed, RocksDB's own reader answers.
TEST_P(DamageTest, NoChangedBitOfTheTrailerHidesAKey) {
  for (size_t at = block_.size() - kTrailerBytes; at < block_.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      SCOPED_TRACE(testing::Message() << "byte " << at << ", bit " << bit);
      std::string damaged = block_;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ExpectAllMatch(damaged, keys_);
    }
  }
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

// Builds a filter and verifies it without one of its bits.
Status VerifyDamaged(bool verify, Kind kind, std::mt19937_64& random) {
  const BuilderPtr builder = NewBuilder(OurPolicy(10, kind), verify);
  AddKeys(MakeKeys("key", 500), builder.get());
  const Status status = builder->MaybePostVerify(
      WithoutOneBit(FinishBlock(builder.get()), random));
  // A builder can be used on after it.
  AddKeys(MakeKeys("other", 500), builder.get());
  EXPECT_TRUE(builder->MaybePostVerify(FinishBlock(builder.get())).ok());
  return status;
}

TEST(FilterDamageTest, MaybePostVerifyFindsALostBit) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 50; ++round) {
    for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
      const Status status = VerifyDamaged(true, kind, random);
      ASSERT_TRUE(status.IsCorruption()) << status.ToString();
      EXPECT_NE(status.ToString().find("oneline"), std::string::npos);
      EXPECT_TRUE(VerifyDamaged(false, kind, random).ok());
    }
  }
}

}  // namespace
}  // namespace oneline
