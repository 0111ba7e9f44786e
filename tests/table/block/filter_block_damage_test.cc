// Damaged filter blocks: every truncation, every change of a byte of the
// trailer or of a line's header, and of any other bit, of every pinned block.
// The reader must not crash, nor read outside the block (unreadable pages lie
// around it), and must not deny a key of the table unless the trailer is
// intact. So for each instruction set of this machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "tests/golden/test_vectors.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

// All changes of a byte; under a sanitizer those of a single bit.
int NextChange(int change) { return kSlow ? 2 * change : change + 1; }

class FilterBlockDamageTest
    : public testing::TestWithParam<std::tuple<std::string, InstructionSet>> {
 protected:
  void SetUp() override {
    const TestVector& vector = PinnedVector(std::get<0>(GetParam()));
    set_ = std::get<1>(GetParam());
    if (!IsSupported(set_)) {
      GTEST_SKIP() << "this processor can't run it";
    }
    block_ = vector.bytes;
    ASSERT_TRUE(DecodeTrailer(block_).has_value());
    ASSERT_LE(block_.size() + 2 * kLineBytes, kMaxBlockBytes);
    lines_bytes_ = block_.size() - kTrailerBytes;
    // Up to a hundred: keys of the block, then as many others. A damaged block
    // knows neither.
    const size_t num_keys = std::max<size_t>(vector.num_added, 5);
    const size_t step = (num_keys + 49) / 50;
    for (size_t i = 0; i < 2 * num_keys; i += step) {
      keys_.push_back(vector.Key(i));
    }
  }

  // What a reader answers, one by one and, which must be the same, at once.
  static std::vector<bool> AnswersToHashes(
      const FilterBlockReader& reader, const std::vector<uint64_t>& hashes) {
    std::vector<bool> answers;
    for (uint64_t hash : hashes) answers.push_back(reader.MayMatchHash(hash));
    const std::unique_ptr<bool[]> batch(new bool[hashes.size()]);
    reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
    EXPECT_TRUE(std::equal(answers.begin(), answers.end(), batch.get()));
    return answers;
  }

  // The same for keys_, by the reader's own hash and the caller's.
  std::vector<bool> AnswersToKeys(const FilterBlockReader& reader) const {
    std::vector<bool> answers;
    std::vector<uint64_t> hashes;
    for (const std::string& key : keys_) {
      answers.push_back(reader.MayMatch(key));
      hashes.push_back(KeyHash(key, reader.seed()));
    }
    EXPECT_EQ(AnswersToHashes(reader, hashes), answers);
    return answers;
  }

  // Bytes that aren't a block: whatever is asked, "maybe".
  void ExpectMaybe(std::string_view damaged) const {
    for (uint8_t* bytes :
         {behind_guard_.data(),
          before_guard_.data() + kMaxBlockBytes - damaged.size()}) {
      std::copy(damaged.begin(), damaged.end(), bytes);
      const std::string_view copy(reinterpret_cast<char*>(bytes),
                                  damaged.size());
      EXPECT_FALSE(DecodeTrailer(copy).has_value());
      const std::vector<bool> answers =
          AnswersToKeys(FilterBlockReader(copy, set_));
      EXPECT_EQ(std::count(answers.begin(), answers.end(), false), 0);
    }
  }

  static constexpr size_t kMaxBlockBytes = 4096;
  // Where damaged blocks are read: made once, as mapping pages takes its time.
  const GuardedBytes behind_guard_{kMaxBlockBytes, GuardedEdge::kStart};
  const GuardedBytes before_guard_{kMaxBlockBytes, GuardedEdge::kEnd};
  InstructionSet set_;
  std::string block_;
  size_t lines_bytes_;
  std::vector<std::string> keys_;
};

TEST_P(FilterBlockDamageTest, EveryOtherLength) {
  const std::string_view block = block_;
  for (size_t n = 0; n < block.size() && !HasFailure(); ++n) {
    SCOPED_TRACE(n);
    ExpectMaybe(block.substr(0, n));
    ExpectMaybe(block.substr(n + 1));
  }
  for (size_t more = 1; more <= 2 * kLineBytes && !HasFailure(); ++more) {
    SCOPED_TRACE(more);
    ExpectMaybe(block_ + std::string(more, '\0'));
    ExpectMaybe(std::string(more, '\0') + block_);
  }
}

TEST_P(FilterBlockDamageTest, EveryChangeOfATrailerByte) {
  for (size_t i = lines_bytes_; i < block_.size(); ++i) {
    for (int change = 1; change < 256 && !HasFailure();
         change = NextChange(change)) {
      SCOPED_TRACE(testing::Message() << "byte " << i << " xor " << change);
      std::string damaged = block_;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      ExpectMaybe(damaged);
    }
  }
}

// The trailer can't tell, so keys of the line concerned may be denied (RocksDB
// has a checksum of the block for that), but no others.
TEST_P(FilterBlockDamageTest, EveryChangeOfALineBit) {
  uint8_t* bytes = before_guard_.data() + kMaxBlockBytes - block_.size();
  std::copy(block_.begin(), block_.end(), bytes);
  const std::string_view damaged(reinterpret_cast<char*>(bytes), block_.size());
  const FilterBlockReader reader(damaged, set_);
  const auto num_lines = static_cast<uint32_t>(lines_bytes_ / kLineBytes);
  std::vector<uint64_t> hashes;
  for (const std::string& key : keys_) {
    hashes.push_back(KeyHash(key, reader.seed()));
  }
  const std::vector<bool> intact = AnswersToHashes(reader, hashes);
  for (size_t i = 0; i < lines_bytes_; ++i) {
    // Of a header, which decides how the rest is read, all changes.
    const bool header = i % kLineBytes < 2;
    for (int change = 1; change < 256;
         change = header ? NextChange(change) : 2 * change) {
      bytes[i] = static_cast<uint8_t>(bytes[i] ^ change);
      ASSERT_TRUE(DecodeTrailer(damaged).has_value());
      const std::vector<bool> answers = AnswersToHashes(reader, hashes);
      for (size_t k = 0; k < keys_.size(); ++k) {
        if (LineIndex(hashes[k], num_lines) == i / kLineBytes) continue;
        ASSERT_EQ(answers[k], intact[k]) << "byte " << i << ", key " << k;
      }
      bytes[i] = static_cast<uint8_t>(bytes[i] ^ change);
    }
  }
}

std::string CaseName(
    const testing::TestParamInfo<FilterBlockDamageTest::ParamType>& param) {
  const auto& [name, set] = param.param;
  return name + "_" + NameOf(set);
}

INSTANTIATE_TEST_SUITE_P(
    All, FilterBlockDamageTest,
    testing::Combine(testing::ValuesIn(NamesOfPinnedBlocks()),
                     testing::ValuesIn(AllSets())),
    CaseName);

}  // namespace
}  // namespace oneline
