// Damaged filters, as RocksDB would pass them to the policy: none may hide a
// key, and damage done while a filter is built must be found.
// (tests/table/block has every byte of every kind; here it matters who reads
// the block.)

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"

namespace oneline {
namespace {

using rocksdb::Status;

// A block whose magic is damaged is read as one of RocksDB's, and its answers
// are arbitrary. With a fixed seed they are the same in every run.
constexpr uint64_t kDamageSeed = 20240229;

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
      BuildBlock(OurPolicy(10, std::get<1>(GetParam()), kDamageSeed), keys_);
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

// (filter_block_verify_test.cc has every kind of damage.)
TEST(FilterDamageTest, MaybePostVerifyFindsALostLine) {
  for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
    for (const bool verify : {true, false}) {
      const BuilderPtr builder = NewBuilder(OurPolicy(10, kind), verify);
      AddKeys(MakeKeys("key", 500), builder.get());
      std::string block = FinishBlock(builder.get());
      std::fill_n(block.begin(), kLineBytes, '\0');
      const Status status = builder->MaybePostVerify(block);
      EXPECT_EQ(status.IsCorruption(), verify) << status.ToString();
      EXPECT_EQ(status.ToString().find("oneline") != std::string::npos, verify);
      // A builder can be used on after it.
      AddKeys(MakeKeys("other", 500), builder.get());
      EXPECT_TRUE(builder->MaybePostVerify(FinishBlock(builder.get())).ok());
    }
  }
}

}  // namespace
}  // namespace oneline
