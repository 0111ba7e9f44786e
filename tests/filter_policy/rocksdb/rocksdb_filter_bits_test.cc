// Tests of the builders and readers that the policy gives to RocksDB, through
// the interface of filter_policy/rocksdb/rocksdb_filter_bits.h.

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

#include <gtest/gtest.h>

#include <tuple>

#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"

namespace oneline {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

constexpr size_t kKeys = 1000;
// At 10 bits per key about 10 of kKeys absent keys pass a Bloom filter.
constexpr size_t kMaxFalsePositives = 60;

void ExpectFilterOf(const std::string& block, const Keys& keys) {
  const ReaderPtr reader = NewReader(OurPolicy(10), block);
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  EXPECT_LE(CountMatches(MakeKeys("absent", kKeys), reader.get()),
            kMaxFalsePositives);
}

// Whatever compiles this file uses such a version, or defines the macro.
TEST(IsTestedRocksDBTest, BothBoundsAreKept) {
  for (int version : {70003, 70799, 110900, 120000}) {
    EXPECT_FALSE(IsTestedRocksDB(version)) << version;
  }
  for (int version : {70800, 70803, 91000, 100901, 110801, 110899}) {
    EXPECT_TRUE(IsTestedRocksDB(version)) << version;
  }
}

// With detect_filter_construct_corruption and without.
class BuilderTest : public testing::TestWithParam<std::tuple<Kind, bool>> {};

INSTANTIATE_TEST_SUITE_P(Verify, BuilderTest,
                         testing::Combine(testing::Values(Kind::kRibbon,
                                                          Kind::kBloom),
                                          testing::Bool()));

// One builder makes all filters of a partitioned table. RocksDB calls
// MaybePostVerify after each, except when an error ends the table.
TEST_P(BuilderTest, BeginsAnewAfterFinish) {
  const auto& [kind, verify] = GetParam();
  const PolicyPtr policy = OurPolicy(10, kind);
  const BuilderPtr builder = NewBuilder(policy, verify);
  for (size_t n : {1000, 0, 1, 0, 0, 3000, 7}) {
    for (bool verified : {true, false}) {
      SCOPED_TRACE(testing::Message() << n << " keys, " << verified);
      const std::string set = verified ? "a" : "b";
      const Keys keys = MakeKeys(set, n);
      AddKeys(keys, builder.get());
      EXPECT_EQ(builder->EstimateEntriesAdded(), n);
      std::unique_ptr<const char[]> owner;
      Status status = Status::Aborted("not set");
      const Slice block = builder->Finish(&owner, &status);
      EXPECT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(block.data(), owner.get());
      EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
      if (verified) {
        EXPECT_TRUE(builder->MaybePostVerify(block).ok());
      }
      EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
      EXPECT_EQ(block.ToString().size(), BuildBlock(policy, keys).size());
      ExpectFilterOf(block.ToString(), keys);
    }
  }
}

// RocksDB cuts partitions by this number: a filter of so many keys must not be
// larger than asked for, and one of one key more would be.
TEST(FilterBitsBuilderTest, ApproximateNumEntriesIsTheMaximumThatFits) {
  for (double bits : {1.0, 10.0, 33.3}) {
    const PolicyPtr policy = OurPolicy(bits);
    const BuilderPtr builder = NewBuilder(policy);
    EXPECT_EQ(builder->ApproximateNumEntries(0), 0u);
    for (size_t bytes : {16, 32, 95, 96, 100, 300, 4096, 5000}) {
      SCOPED_TRACE(testing::Message() << bits << " bits, " << bytes);
      const size_t n = builder->ApproximateNumEntries(bytes);
      if (n > 0) {
        EXPECT_LE(BuildBlock(policy, MakeKeys("k", n)).size(), bytes);
      }
      EXPECT_GT(BuildBlock(policy, MakeKeys("k", n + 1)).size(), bytes);
    }
    EXPECT_GT(builder->ApproximateNumEntries(size_t{1} << 40), size_t{1} << 28);
  }
}

TEST(FilterBitsBuilderTest, FixedSeedGivesTheSameBytes) {
  const Keys keys = MakeKeys("key", kKeys);
  EXPECT_EQ(BuildBlock(OurPolicy(10, Kind::kRibbon, 7), keys),
            BuildBlock(OurPolicy(10, Kind::kRibbon, 7), keys));
  EXPECT_NE(BuildBlock(OurPolicy(10, Kind::kRibbon, 7), keys),
            BuildBlock(OurPolicy(10, Kind::kRibbon, 8), keys));
  // Without hash_seed the seed is random, but the same in the whole process.
  EXPECT_EQ(BuildBlock(OurPolicy(10), keys), BuildBlock(OurPolicy(10), keys));
  EXPECT_NE(BuildBlock(OurPolicy(10), keys),
            BuildBlock(OurPolicy(10, Kind::kRibbon, 0), keys));
}

TEST(FilterBitsBuilderTest, NoFilterBelowHalfABit) {
  EXPECT_EQ(NewBuilder(OurPolicy(0)), nullptr);
  EXPECT_EQ(NewBuilder(OurPolicy(0.499)), nullptr);
  EXPECT_EQ(BuildBlock(OurPolicy(0.5), MakeKeys("key", 5120)).size(),
            5120 / 8 + kTrailerBytes);
}

TEST(FilterBitsReaderTest, AnEmptyBatchWritesNothing) {
  const ReaderPtr reader =
      NewReader(OurPolicy(10), BuildBlock(OurPolicy(10), {"key"}));
  bool untouched[2] = {true, false};
  reader->MayMatch(0, nullptr, nullptr);
  reader->MayMatch(0, nullptr, untouched);
  EXPECT_TRUE(untouched[0]);
  EXPECT_FALSE(untouched[1]);
}

}  // namespace
}  // namespace oneline
