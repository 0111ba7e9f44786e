// Tests of the builders and readers that the policy gives to RocksDB, through
// the interface of filter_policy/rocksdb/rocksdb_filter_bits.h.

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/test_seed.h"

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

// With detect_filter_construct_corruption and without.
class BuilderTest : public testing::TestWithParam<std::tuple<Kind, bool>> {
 protected:
  PolicyPtr TestPolicy() { return OurPolicy(10, std::get<Kind>(GetParam())); }
  BuilderPtr NewTestBuilder() {
    return NewBuilder(TestPolicy(), std::get<bool>(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Verify, BuilderTest,
                         testing::Combine(testing::Values(Kind::kRibbon,
                                                          Kind::kBloom),
                                          testing::Bool()));

TEST_P(BuilderTest, BuildsAFilter) {
  const Keys keys = MakeKeys("key", kKeys);
  const BuilderPtr builder = NewTestBuilder();
  AddKeys(keys, builder.get());
  EXPECT_EQ(builder->EstimateEntriesAdded(), kKeys);
  std::unique_ptr<const char[]> owner;
  Status status = Status::Aborted("not set");
  const Slice block = builder->Finish(&owner, &status);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(block.data(), owner.get());
  EXPECT_TRUE(builder->MaybePostVerify(block).ok());
  ExpectFilterOf(block.ToString(), keys);
}

TEST_P(BuilderTest, WithoutKeysTheFilterPassesNone) {
  const BuilderPtr builder = NewTestBuilder();
  EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
  std::unique_ptr<const char[]> owner;
  const Slice block = builder->Finish(&owner);
  EXPECT_GE(block.size(), 6u);
  EXPECT_TRUE(builder->MaybePostVerify(block).ok());
  const ReaderPtr reader = NewReader(OurPolicy(10), block);
  EXPECT_EQ(CountMatches(MakeKeys("absent", 100), reader.get()), 0u);
  EXPECT_EQ(MatchBatch(MakeKeys("absent", 32), reader.get()),
            std::vector<bool>(32, false));
}

// One builder makes all filters of a partitioned table. RocksDB calls
// MaybePostVerify after each, except when an error ends the table.
TEST_P(BuilderTest, BeginsAnewAfterFinish) {
  const BuilderPtr builder = NewTestBuilder();
  for (size_t n : {1000, 0, 1, 0, 0, 3000, 20000, 7}) {
    for (bool verified : {true, false}) {
      SCOPED_TRACE(testing::Message() << n << " keys, " << verified);
      const std::string set = verified ? "a" : "b";
      const Keys keys = MakeKeys(set, n);
      AddKeys(keys, builder.get());
      EXPECT_EQ(builder->EstimateEntriesAdded(), n);
      std::unique_ptr<const char[]> owner;
      const Slice block = builder->Finish(&owner);
      EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
      if (verified) {
        EXPECT_TRUE(builder->MaybePostVerify(block).ok());
      }
      EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
      EXPECT_EQ(block.ToString().size(), BuildBlock(TestPolicy(), keys).size());
      ExpectFilterOf(block.ToString(), keys);
    }
  }
}

TEST_P(BuilderTest, TakesKeysFromAnotherThread) {
  const Keys keys = MakeKeys("key", kKeys);
  const BuilderPtr builder = NewTestBuilder();
  for (size_t part = 0; part < 4; ++part) {
    std::thread([&] {
      AddKeys({keys.begin() + part * kKeys / 4,
               keys.begin() + (part + 1) * kKeys / 4},
              builder.get());
    }).join();
  }
  EXPECT_EQ(builder->EstimateEntriesAdded(), kKeys);
  ExpectFilterOf(FinishBlock(builder.get()), keys);
}

TEST_P(BuilderTest, CountsRepetitionsOnce) {
  const BuilderPtr builder = NewTestBuilder();
  for (const char* key : {"", "", "a", "a", "a", "b", "a"}) {
    builder->AddKey(key);
  }
  EXPECT_EQ(builder->EstimateEntriesAdded(), 4u);
  ExpectFilterOf(FinishBlock(builder.get()), {"", "a", "b"});
}

// RocksDB cuts partitions by this number: a filter of so many keys must not be
// larger than asked for, and one of one key more would be.
TEST(FilterBitsBuilderTest, ApproximateNumEntriesIsTheMaximumThatFits) {
  for (double bits : {1.0, 2.5, 10.0, 33.3, 100.0}) {
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

// Each option reaches the builder: the bytes differ.
TEST(FilterBitsBuilderTest, EachOptionChangesTheFilter) {
  const Keys keys = MakeKeys("key", 20000);
  FilterOptions options;
  options.hash_seed = 7;
  const auto block = [&] {
    return BuildBlock(NewRocksDBFilterPolicy(options), keys);
  };
  std::set<std::string> blocks = {block()};
  options.kind = Kind::kBloom;
  blocks.insert(block());
  options.kind = Kind::kRibbon;
  options.bits_per_key = 9;
  blocks.insert(block());
  options.bits_per_key.reset();
  options.fp_rate = 0.01;
  blocks.insert(block());
  options.hash_seed = 8;
  blocks.insert(block());
  EXPECT_EQ(blocks.size(), 5u);
}

// A Ribbon passes a sixth as many absent keys as a Bloom filter of the same
// size.
TEST(FilterBitsReaderTest, RibbonPassesFewerThanBloom) {
  const Keys keys = MakeKeys("key", 20000);
  const Keys absent = MakeKeys("absent", 100000);
  const auto passed = [&](Kind kind) {
    const PolicyPtr policy = OurPolicy(10, kind);
    const std::string block = BuildBlock(policy, keys);
    EXPECT_EQ(block.size(), 391 * kLineBytes + kTrailerBytes);
    return CountMatches(absent, NewReader(policy, block).get());
  };
  EXPECT_NEAR(passed(Kind::kBloom), 960, 200);
  EXPECT_NEAR(passed(Kind::kRibbon), 160, 80);
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
  const Keys keys = MakeKeys("key", 5120);
  EXPECT_EQ(BuildBlock(OurPolicy(0.5), keys).size(), 5120 / 8 + kTrailerBytes);
  EXPECT_EQ(BuildBlock(OurPolicy(1), keys).size(), 5120 / 8 + kTrailerBytes);
  EXPECT_EQ(BuildBlock(OurPolicy(100), keys).size(),
            512000 / 8 + kTrailerBytes);
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

TEST(FilterBitsReaderTest, BatchesMixPresentAndAbsentKeys) {
  const Keys present = MakeKeys("key", kKeys);
  const Keys absent = MakeKeys("absent", kKeys);
  std::mt19937_64 random = TestRandom();
  for (size_t n = 1; n <= 100; ++n) {
    const Kind kind = n % 2 == 0 ? Kind::kBloom : Kind::kRibbon;
    const std::string block = BuildBlock(OurPolicy(10, kind), present);
    const ReaderPtr reader = NewReader(OurPolicy(10), block);
    for (int round = 0; round < 20; ++round) {
      Keys batch;
      std::vector<bool> one_by_one;
      for (size_t i = 0; i < n; ++i) {
        const bool is_present = random() % 2 == 0;
        batch.push_back((is_present ? present : absent)[random() % kKeys]);
        one_by_one.push_back(reader->MayMatch(batch.back()));
        ASSERT_TRUE(one_by_one.back() || !is_present);
      }
      ASSERT_EQ(MatchBatch(batch, reader.get()), one_by_one) << n;
    }
  }
}

TEST(FilterBitsReaderTest, OutlivesThePolicy) {
  const Keys keys = MakeKeys("key", kKeys);
  PolicyPtr policy = OurPolicy(10);
  const std::string block = BuildBlock(policy, keys);
  const ReaderPtr reader = NewReader(policy, block);
  policy.reset();
  EXPECT_EQ(CountMatches(keys, reader.get()), kKeys);
  EXPECT_LE(CountMatches(MakeKeys("absent", kKeys), reader.get()),
            kMaxFalsePositives);
}

// In files mapped into memory blocks begin at any address.
TEST(FilterBitsReaderTest, BytesMayBeUnaligned) {
  const Keys present = MakeKeys("key", 300);
  Keys keys = present;
  const Keys absent = MakeKeys("absent", 300);
  keys.insert(keys.end(), absent.begin(), absent.end());
  const PolicyPtr policy = OurPolicy(10);
  const std::string block = BuildBlock(policy, present);
  const std::vector<bool> expected =
      MatchBatch(keys, NewReader(policy, block).get());
  for (size_t offset = 0; offset < 64; ++offset) {
    alignas(64) static char buffer[4096];
    ASSERT_LE(block.size() + offset, sizeof(buffer));
    std::copy(block.begin(), block.end(), buffer + offset);
    const ReaderPtr reader =
        NewReader(policy, Slice(buffer + offset, block.size()));
    EXPECT_EQ(CountMatches(present, reader.get()), present.size());
    EXPECT_EQ(MatchBatch(keys, reader.get()), expected) << offset;
  }
}

TEST(FilterBitsReaderTest, ManyThreadsReadOne) {
  const Keys keys = MakeKeys("key", kKeys);
  const Keys absent = MakeKeys("absent", kKeys);
  const std::string block = BuildBlock(OurPolicy(10), keys);
  const ReaderPtr reader = NewReader(OurPolicy(10), block);
  const size_t false_positives = CountMatches(absent, reader.get());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        wrong += CountMatches(keys, reader.get()) != kKeys;
        wrong += CountMatches(absent, reader.get()) != false_positives;
        const auto from = keys.begin() + t * 32;
        wrong += MatchBatch({from, from + 32}, reader.get()) !=
                 std::vector<bool>(32, true);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Builds and reads filters while other threads print the policy's options.
TEST(FilterBitsReaderTest, ManyThreadsUseOnePolicy) {
  const PolicyPtr policy = OurPolicy(10);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Keys keys = MakeKeys("thread" + std::to_string(t), kKeys);
      for (int round = 0; round < 10; ++round) {
        const std::string block = BuildBlock(policy, keys);
        wrong += CountMatches(keys, NewReader(policy, block).get()) != kKeys;
        wrong += policy->ToString(rocksdb::ConfigOptions()).empty();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace oneline
