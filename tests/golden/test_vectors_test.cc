// Holds the vectors in tests/golden/, and with them every reader of the format,
// to the code: the pinned texts are what the code makes, and their keys get the
// pinned answers with each instruction set.

#include "tests/golden/test_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "table/simd/instruction_sets.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

TEST(TestVectorsTest, TextNeverChanges) {
  EXPECT_FALSE(ReadTestVectors().empty());
  EXPECT_EQ(ReadTestVectors(), TestVectors());
  EXPECT_FALSE(ReadShortTestVectors().empty());
  EXPECT_EQ(ReadShortTestVectors(), ShortTestVectors());
}

// A block of a text, and what the text says of it.
struct PinnedBlock {
  std::string name;
  std::string bytes;
  // [i]: of key i.
  std::vector<std::string> keys;
  std::vector<uint64_t> hashes;
  std::vector<bool> may_match;
};

std::vector<PinnedBlock> ParsePinnedBlocks(const std::string& text) {
  std::vector<PinnedBlock> blocks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, first, hash, answer;
    words >> what >> first >> hash >> answer;
    if (what == "block") blocks.push_back({first, {}, {}, {}, {}});
    if (what == "bytes") blocks.back().bytes = FromHex(first);
    if (what != "key") continue;
    blocks.back().keys.push_back(FromHex(first));
    blocks.back().hashes.push_back(std::stoull(hash, nullptr, 16));
    blocks.back().may_match.push_back(answer != "no");
  }
  return blocks;
}

class PinnedAnswersTest : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!IsSupported(GetParam())) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }
};

TEST_P(PinnedAnswersTest, AreGiven) {
  size_t answers = 0;
  for (const PinnedBlock& pinned : ParsePinnedBlocks(ReadTestVectors())) {
    SCOPED_TRACE(pinned.name);
    const bool refused = pinned.name.rfind("refused_", 0) == 0;
    EXPECT_EQ(DecodeTrailer(pinned.bytes).has_value(), !refused);
    const FilterBlockReader reader(pinned.bytes, GetParam());
    const size_t n = pinned.keys.size();
    for (size_t i = 0; i < n; ++i) {
      if (!refused) {
        EXPECT_EQ(KeyHash(pinned.keys[i], reader.seed()), pinned.hashes[i]);
      }
      EXPECT_EQ(reader.MayMatch(pinned.keys[i]), pinned.may_match[i])
          << pinned.keys[i];
    }
    const std::unique_ptr<bool[]> batch(new bool[n]);
    reader.MayMatchHashes(pinned.hashes.data(), n, batch.get());
    EXPECT_TRUE(std::equal(pinned.may_match.begin(), pinned.may_match.end(),
                           batch.get()));
    answers += n;
  }
  EXPECT_GT(answers, 3000u);
}

TEST_P(PinnedAnswersTest, AreGivenByShortBlocks) {
  const ShortBlockKernels kernels = ShortBlockKernelsFor(GetParam());
  size_t answers = 0;
  for (const PinnedBlock& pinned : ParsePinnedBlocks(ReadShortTestVectors())) {
    SCOPED_TRACE(pinned.name);
    for (size_t i = 0; i < pinned.keys.size(); ++i) {
      EXPECT_EQ(KeyHash(pinned.keys[i], 0), pinned.hashes[i]);
      EXPECT_EQ(ShortBlockMayMatch(pinned.bytes, pinned.hashes[i], kernels),
                pinned.may_match[i])
          << pinned.keys[i];
      ++answers;
    }
  }
  EXPECT_GT(answers, 3000u);
}

INSTANTIATE_TEST_SUITE_P(All, PinnedAnswersTest, testing::ValuesIn(AllSets()),
                         [](const auto& set) {
                           return std::string(NameOf(set.param));
                         });

}  // namespace
}  // namespace oneline
