// Tests of the builders and readers that the policy gives to RocksDB, through
// the interface of filter_policy/rocksdb/rocksdb_filter_bits.h, with every
// instruction set that this machine can run; also of damaged filters: none may
// hide a key, and damage done while a filter is built must be found.
// (tests/table/block has every byte of every kind; here it matters who reads
// the block.)

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/table/all_kinds.h"
#include "tests/table/supported_sets.h"

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
  for (int version : {70003, 70799, 120000}) {
    EXPECT_FALSE(IsTestedRocksDB(version)) << version;
  }
  for (int version : {70800, 70803, 91000, 100901, 110801}) {
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

void ExpectAllMatch(const std::string& block, const Keys& keys) {
  const ReaderPtr reader = NewReader(OurPolicy(10), block);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(CountMatches(keys, reader.get()), keys.size());
  // RocksDB's own reader, which gets blocks without our magic, takes 32 at
  // most.
  for (size_t i = 0; i < keys.size(); i += 32) {
    const size_t n = std::min<size_t>(32, keys.size() - i);
    const Keys batch(keys.begin() + i, keys.begin() + i + n);
    ASSERT_EQ(MatchBatch(batch, reader.get()), std::vector<bool>(n, true));
  }
}

// A block whose magic is damaged is read as one of RocksDB's, and its answers
// are arbitrary. With a fixed seed they are the same in every run.
TEST(FilterDamageTest, NoLengthAndNoBitOfTheTrailerHidesAKey) {
  for (const Kind kind : {Kind::kRibbon, Kind::kBloom}) {
    for (const size_t n : {1, 256}) {
      const Keys keys = MakeKeys("key", n);
      const std::string block = BuildBlock(OurPolicy(10, kind, 20240229), keys);
      for (size_t size = 0; size < block.size(); ++size) {
        SCOPED_TRACE(testing::Message() << size << " of " << block.size());
        ExpectAllMatch(block.substr(0, size), keys);
      }
      for (const size_t excess : {1, 5, 64}) {
        ExpectAllMatch(std::string(excess, '\0') + block, keys);
        ExpectAllMatch(block + std::string(excess, '\0'), keys);
      }
      for (size_t bit = 0; bit < 8 * kTrailerBytes; ++bit) {
        SCOPED_TRACE(testing::Message() << "bit " << bit);
        std::string damaged = block;
        char& byte = damaged[block.size() - kTrailerBytes + bit / 8];
        byte = static_cast<char>(byte ^ (1 << bit % 8));
        ExpectAllMatch(damaged, keys);
      }
    }
  }
}

// (filter_block_builder_test.cc has every kind of damage.)
TEST_P(BuilderTest, MaybePostVerifyFindsALostLine) {
  const auto& [kind, verify] = GetParam();
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

class BitsReaderTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  static std::string BlockOf(const Keys& keys, double bits_per_key = 10) {
    FilterBlockBuilder builder(*GetParam(), bits_per_key, /*seed=*/7);
    for (const std::string& key : keys) builder.AddKey(key);
    return std::string(builder.Finish().view());
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, BitsReaderTest, testing::ValuesIn(AllKinds()),
                         [](const auto& test) { return test.param->name; });

// In batches of up to 40 keys: FilterBlockReader has batches of 32.
TEST_P(BitsReaderTest, AnswersAsTheReaderOfTheBlock) {
  for (const size_t num_keys : {0, 1, 40, 1000}) {
    const Keys present = MakeKeys("key", num_keys);
    const std::string block = BlockOf(present);
    Keys keys = MakeKeys("absent", 500);
    keys.insert(keys.end(), present.begin(), present.end());
    // So that batches of more than 32 have both.
    std::shuffle(keys.begin(), keys.end(), std::mt19937_64(num_keys));
    for (const InstructionSet set : SupportedSets()) {
      SCOPED_TRACE(testing::Message() << NameOf(set) << ", " << num_keys);
      const FilterBlockReader expected(block, set);
      const ReaderPtr reader(NewBitsReader(block, set));
      for (size_t i = 0, n = 40; i < keys.size(); i += n, n = n % 40 + 1) {
        n = std::min(n, keys.size() - i);
        const Keys batch(keys.begin() + i, keys.begin() + i + n);
        std::vector<bool> answers;
        for (const std::string& key : batch) {
          answers.push_back(expected.MayMatch(key));
          EXPECT_EQ(reader->MayMatch(key), answers.back()) << key;
        }
        EXPECT_EQ(MatchBatch(batch, reader.get()), answers) << n << " keys";
      }
    }
  }
}

TEST_P(BitsReaderTest, ThreadsShareOneReader) {
  constexpr int kBatches = 10000;
  const Keys present = MakeKeys("key", 30), absent = MakeKeys("absent", 30);
  Keys more = MakeKeys("more", 1000);
  more.insert(more.end(), present.begin(), present.end());
  const std::string block = BlockOf(more);
  const ReaderPtr reader(NewBitsReader(block, BestInstructionSet()));
  std::atomic<int> running{0};
  const auto count = [&](const Keys& keys, size_t* found) {
    for (++running; running < 2;) std::this_thread::yield();
    for (int i = 0; i < kBatches; ++i) {
      for (const bool answer : MatchBatch(keys, reader.get())) *found += answer;
    }
  };
  size_t found = 0, passed = 0;
  std::thread other(count, absent, &passed);
  count(present, &found);
  other.join();
  EXPECT_EQ(found, 30u * kBatches);
  EXPECT_LE(passed, 3u * kBatches);
}

}  // namespace
}  // namespace oneline
