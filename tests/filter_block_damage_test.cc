// Damaged filter blocks: every truncation and every change of one byte, of
// every pinned block. The reader must not crash, nor read outside the block
// (unreadable pages lie around it), and must not deny a key of the table
// unless the trailer is intact.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "table/filter_block.h"
#include "table/key_hash.h"
#include "tests/golden_blocks.h"
#include "tests/guarded_bytes.h"

namespace oneline {
namespace {

class FilterBlockDamageTest : public testing::TestWithParam<GoldenBlock> {
 protected:
  void SetUp() override {
    block_ = ReadGoldenBlock(GetParam());
    ASSERT_TRUE(DecodeTrailer(block_).ok());
    lines_bytes_ = block_.size() - kTrailerBytes;
    // Keys of the block, then as many others: a damaged block knows neither.
    for (size_t i = 0; i < 2 * std::max<size_t>(GetParam().num_keys, 5); ++i) {
      keys_.push_back(GoldenKey(i));
    }
  }

  // What a reader of these bytes answers for keys_, one by one and, which must
  // be the same, at once. Where the trailer holds another seed, a caller's
  // hashes are of that.
  std::vector<bool> Answers(const FilterBlockReader& reader) const {
    std::vector<bool> answers;
    std::vector<uint64_t> hashes;
    for (const std::string& key : keys_) {
      answers.push_back(reader.MayMatch(key));
      hashes.push_back(KeyHash(key, reader.seed()));
    }
    const std::unique_ptr<bool[]> batch(new bool[keys_.size()]);
    reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
    EXPECT_TRUE(std::equal(answers.begin(), answers.end(), batch.get()));
    return answers;
  }

  // Bytes that aren't a block: whatever is asked, "maybe".
  void ExpectMaybe(std::string_view damaged) const {
    for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
      const GuardedBytes bytes(damaged.size(), edge);
      std::copy(damaged.begin(), damaged.end(), bytes.data());
      const std::string_view copy(reinterpret_cast<char*>(bytes.data()),
                                  damaged.size());
      EXPECT_FALSE(DecodeTrailer(copy).ok());
      const std::vector<bool> answers = Answers(FilterBlockReader(copy));
      EXPECT_EQ(std::count(answers.begin(), answers.end(), false), 0);
    }
  }

  std::string block_;
  size_t lines_bytes_;
  std::vector<std::string> keys_;
};

TEST_P(FilterBlockDamageTest, CutAtTheEnd) {
  for (size_t size = 0; size < block_.size(); ++size) {
    SCOPED_TRACE(size);
    ExpectMaybe(std::string_view(block_).substr(0, size));
  }
}

TEST_P(FilterBlockDamageTest, CutAtTheStart) {
  for (size_t cut = 1; cut <= block_.size(); ++cut) {
    SCOPED_TRACE(cut);
    ExpectMaybe(std::string_view(block_).substr(cut));
  }
}

TEST_P(FilterBlockDamageTest, Lengthened) {
  for (size_t more = 1; more <= 2 * kLineBytes; ++more) {
    SCOPED_TRACE(more);
    ExpectMaybe(block_ + std::string(more, '\0'));
    ExpectMaybe(std::string(more, '\0') + block_);
  }
}

TEST_P(FilterBlockDamageTest, EveryChangeOfATrailerByte) {
  for (size_t i = lines_bytes_; i < block_.size(); ++i) {
    for (int change = 1; change < 256; ++change) {
      SCOPED_TRACE(testing::Message() << "byte " << i << " xor " << change);
      std::string damaged = block_;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      ExpectMaybe(damaged);
    }
  }
}

// The trailer can't tell, so keys of the line concerned may be denied (RocksDB
// has a checksum of the block for that), but no others.
TEST_P(FilterBlockDamageTest, EveryChangeOfALineByte) {
  const GuardedBytes bytes(block_.size(), GuardedEdge::kEnd);
  std::copy(block_.begin(), block_.end(), bytes.data());
  const std::string_view damaged(reinterpret_cast<char*>(bytes.data()),
                                 block_.size());
  const FilterBlockReader reader(damaged);
  const std::vector<bool> intact = Answers(reader);
  const auto num_lines = static_cast<uint32_t>(lines_bytes_ / kLineBytes);
  for (size_t i = 0; i < lines_bytes_; ++i) {
    for (int change = 1; change < 256; ++change) {
      bytes.data()[i] = static_cast<uint8_t>(bytes.data()[i] ^ change);
      ASSERT_TRUE(DecodeTrailer(damaged).ok());
      const std::vector<bool> answers = Answers(reader);
      for (size_t k = 0; k < keys_.size(); ++k) {
        const uint64_t hash = KeyHash(keys_[k], reader.seed());
        if (LineIndex(hash, num_lines) == i / kLineBytes) continue;
        ASSERT_EQ(answers[k], intact[k]) << "byte " << i << ", key " << k;
      }
      bytes.data()[i] = static_cast<uint8_t>(bytes.data()[i] ^ change);
    }
  }
}

std::string BlockName(const testing::TestParamInfo<GoldenBlock>& golden) {
  return golden.param.name;
}

INSTANTIATE_TEST_SUITE_P(All, FilterBlockDamageTest,
                         testing::ValuesIn(GoldenBlocks()), BlockName);

}  // namespace
}  // namespace oneline
