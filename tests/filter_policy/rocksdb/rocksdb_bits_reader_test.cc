// Tests of filter_policy/rocksdb/rocksdb_bits_reader.h: RocksDB's reader of a
// block answers as FilterBlockReader does, with every instruction set that this
// machine can run, for every kind, one key at a time and in batches.

#include "filter_policy/rocksdb/rocksdb_bits_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/table/all_kinds.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

constexpr uint64_t kSeed = 7;
constexpr int kBatches = 10000;

// Checks every instruction set, with batches of up to 40 keys. Returns how many
// keys pass.
size_t ExpectSameAnswers(const std::string& block, const Keys& keys) {
  std::vector<bool> answers;
  for (const InstructionSet set : SupportedSets()) {
    SCOPED_TRACE(NameOf(set));
    const FilterBlockReader expected(block, set);
    const ReaderPtr reader(NewBitsReader(block, set));
    answers.clear();
    for (const std::string& key : keys) {
      answers.push_back(expected.MayMatch(key));
      EXPECT_EQ(reader->MayMatch(key), answers.back()) << key;
    }
    size_t n = 40;
    for (size_t i = 0; i<keys.size(); i += n, n = n> 1 ? n - 1 : 40) {
      n = std::min(n, keys.size() - i);
      EXPECT_EQ(
          MatchBatch({keys.begin() + i, keys.begin() + i + n}, reader.get()),
          std::vector<bool>(answers.begin() + i, answers.begin() + i + n))
          << n << " keys from number " << i;
    }
  }
  return static_cast<size_t>(std::count(answers.begin(), answers.end(), true));
}

class BitsReaderTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  static std::string BlockOf(const Keys& keys, double bits_per_key = 10) {
    FilterBlockBuilder builder(*GetParam(), bits_per_key, kSeed);
    for (const std::string& key : keys) builder.AddKey(key);
    return std::string(builder.Finish().view());
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, BitsReaderTest, testing::ValuesIn(AllKinds()),
                         [](const auto& test) { return test.param->name; });

TEST_P(BitsReaderTest, AnswersAsTheReaderOfTheBlock) {
  const Keys absent = MakeKeys("absent", 500);
  for (const double bits_per_key : {1.0, 2.5, 5.0, 7.0, 10.0, 20.0, 100.0}) {
    for (const size_t num_keys : {1, 2, 40, 70, 1000}) {
      SCOPED_TRACE(testing::Message() << bits_per_key << ", " << num_keys);
      const Keys present = MakeKeys("key", num_keys);
      const std::string block = BlockOf(present, bits_per_key);
      EXPECT_LT(ExpectSameAnswers(block, absent), absent.size());
      EXPECT_EQ(ExpectSameAnswers(block, present), num_keys);
    }
  }
  EXPECT_EQ(ExpectSameAnswers(BlockOf({}), absent), 0u);
}

TEST_P(BitsReaderTest, ThreadsShareOneReader) {
  const Keys present = MakeKeys("key", 1000);
  const std::string block = BlockOf(present);
  const ReaderPtr reader(NewBitsReader(block, BestInstructionSet()));
  std::atomic<int> running{0};
  const auto count = [&](const Keys& keys, size_t* found) {
    for (++running; running < 2;) std::this_thread::yield();
    for (int i = 0; i < kBatches; ++i) {
      for (const bool answer : MatchBatch(keys, reader.get())) *found += answer;
    }
  };
  const Keys thirty(present.begin(), present.begin() + 30);
  const Keys absent = MakeKeys("absent", 30);
  size_t found = 0, passed = 0;
  std::thread other(count, absent, &passed);
  count(thirty, &found);
  other.join();
  EXPECT_EQ(found, 30u * kBatches);
  EXPECT_LE(passed, 3u * kBatches);
}

}  // namespace
}  // namespace oneline
