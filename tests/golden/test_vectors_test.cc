// Holds the vectors in tests/golden/, and with them every reader of the format,
// to the code: the pinned texts are what the code makes, and their keys get the
// pinned answers with each instruction set.

#include "tests/golden/test_vectors.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "table/short_block/short_line_probe.h"
#include "table/simd/probe.h"

namespace oneline {
namespace {

TEST(TestVectorsTest, TextNeverChanges) {
  EXPECT_FALSE(ReadTestVectors().empty());
  EXPECT_EQ(ReadTestVectors(), TestVectors());
  EXPECT_FALSE(ReadShortTestVectors().empty());
  EXPECT_EQ(ReadShortTestVectors(), ShortTestVectors());
}

// Calls visit(name, block, key, hash, may match) for each key of the text.
// Returns their number.
template <typename Visit>
size_t ForEachAnswer(const std::string& text, Visit visit) {
  std::istringstream lines(text);
  std::string block, name;
  size_t answers = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, first, hash, answer;
    words >> what >> first >> hash >> answer;
    if (what == "block") name = first;
    if (what == "bytes") block = FromHex(first);
    if (what != "key") continue;
    visit(name, block, FromHex(first), std::stoull(hash, nullptr, 16),
          answer != "no");
    ++answers;
  }
  return answers;
}

class PinnedAnswersTest : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (GetParam() > BestInstructionSet()) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }
};

TEST_P(PinnedAnswersTest, AreGiven) {
  const size_t answers = ForEachAnswer(
      ReadTestVectors(),
      [&](const std::string& name, const std::string& block,
          const std::string& key, uint64_t hash, bool may_match) {
        const FilterBlockReader reader(block, GetParam());
        EXPECT_TRUE(DecodeTrailer(block).ok()) << name;
        EXPECT_EQ(KeyHash(key, reader.seed()), hash);
        EXPECT_EQ(reader.MayMatch(key), may_match) << name << " " << key;
      });
  EXPECT_GT(answers, 1000u);
}

TEST_P(PinnedAnswersTest, AreGivenByShortBlocks) {
  const size_t answers = ForEachAnswer(
      ReadShortTestVectors(),
      [&](const std::string& name, const std::string& block,
          const std::string& key, uint64_t hash, bool may_match) {
        EXPECT_EQ(KeyHash(key, 0), hash);
        EXPECT_EQ(
            ShortBlockMayMatch(block, hash, ShortLineKernelFor(GetParam())),
            may_match)
            << name << " " << key;
      });
  EXPECT_GT(answers, 1000u);
}

INSTANTIATE_TEST_SUITE_P(
    All, PinnedAnswersTest,
    testing::Values(InstructionSet::kPortable, InstructionSet::kAvx2,
                    InstructionSet::kAvx512),
    [](const auto& set) {
      return std::string(kInstructionSetNames[static_cast<size_t>(set.param)]);
    });

}  // namespace
}  // namespace oneline
