// Damaged filter blocks: every truncation, every change of a byte of the
// trailer, and of any bit of a line, of every pinned block. The reader must not
// crash, nor read outside the block (unreadable pages lie around it), and must
// not deny a key of the table unless the trailer is intact. (Lines of any
// bytes, with each instruction set: kernels_test.cc.)

#include "table/block/filter_block.h"
#include "tests/golden/test_vectors.h"
#include "tests/guarded_bytes.h"
#include "tests/testing.h"

namespace oneline {
namespace {

class FilterBlockDamageTest : public testing::TestWithParam<std::string> {
 protected:
  FilterBlockDamageTest() {
    const TestVector& vector = PinnedVector(GetParam());
    block_ = vector.bytes;
    EXPECT_TRUE(DecodeTrailer(block_).has_value());
    lines_bytes_ = block_.size() - kTrailerBytes;
    // Up to a hundred: keys of the block, then as many others. A damaged block
    // knows neither.
    const size_t num_keys = std::max<size_t>(vector.num_added, 5);
    for (size_t i = 0; i < 2 * num_keys; i += (num_keys + 49) / 50) {
      keys_.push_back(vector.Key(i));
    }
  }

  // What a reader answers, one by one and, which must be the same, at once.
  std::vector<bool> Answers(const FilterBlockReader& reader) const {
    std::vector<bool> answers;
    std::vector<uint64_t> hashes;
    for (const std::string& key : keys_) {
      hashes.push_back(KeyHash(key, reader.seed()));
      answers.push_back(reader.MayMatchHash(hashes.back()));
    }
    const std::unique_ptr<bool[]> batch(new bool[hashes.size()]);
    reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
    EXPECT_TRUE(std::equal(answers.begin(), answers.end(), batch.get()));
    return answers;
  }

  // Bytes that aren't a block: whatever the key, "maybe".
  void ExpectMaybe(std::string_view damaged) const {
    for (uint8_t* bytes :
         {behind_guard_.data(),
          before_guard_.data() + kMaxBlockBytes - damaged.size()}) {
      std::copy(damaged.begin(), damaged.end(), bytes);
      const std::string_view copy(reinterpret_cast<char*>(bytes),
                                  damaged.size());
      EXPECT_FALSE(DecodeTrailer(copy).has_value());
      EXPECT_EQ(Answers(FilterBlockReader(copy)),
                std::vector<bool>(keys_.size(), true));
    }
  }

  static constexpr size_t kMaxBlockBytes = 4096;
  // Where damaged blocks are read: made once, as mapping pages takes its time.
  const GuardedBytes behind_guard_{kMaxBlockBytes, GuardedEdge::kStart};
  const GuardedBytes before_guard_{kMaxBlockBytes, GuardedEdge::kEnd};
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

// All changes of a byte; under a sanitizer those of a single bit.
TEST_P(FilterBlockDamageTest, EveryChangeOfATrailerByte) {
  for (size_t i = lines_bytes_; i < block_.size(); ++i) {
    for (int change = 1; change < 256 && !HasFailure();
         change = kSlow ? 2 * change : change + 1) {
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
  const FilterBlockReader reader(block_);
  const auto num_lines = static_cast<uint32_t>(lines_bytes_ / kLineBytes);
  const std::vector<bool> intact = Answers(reader);
  for (size_t bit = 0; bit < 8 * lines_bytes_; ++bit) {
    char& byte = block_[bit / 8];
    byte = static_cast<char>(byte ^ 1 << bit % 8);
    ASSERT_TRUE(DecodeTrailer(block_).has_value());
    const std::vector<bool> answers = Answers(reader);
    for (size_t k = 0; k < keys_.size(); ++k) {
      const uint64_t hash = KeyHash(keys_[k], reader.seed());
      if (LineIndex(hash, num_lines) == bit / 8 / kLineBytes) continue;
      ASSERT_EQ(answers[k], intact[k]) << "bit " << bit << ", key " << k;
    }
    byte = static_cast<char>(byte ^ 1 << bit % 8);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FilterBlockDamageTest,
                         testing::ValuesIn(NamesOfPinnedBlocks()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace oneline
