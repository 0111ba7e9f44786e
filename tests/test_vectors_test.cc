// Holds tests/golden/vectors.txt, and with it every reader of the format, to
// the code: the pinned text is what the code makes, and its keys get the pinned
// answers with each instruction set.

#include "tests/test_vectors.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "table/filter_block.h"
#include "table/key_hash.h"
#include "table/probe.h"

namespace oneline {
namespace {

TEST(TestVectorsTest, TextNeverChanges) {
  EXPECT_FALSE(ReadTestVectors().empty());
  EXPECT_EQ(ReadTestVectors(), TestVectors());
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  if (hex == "-") return bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

class PinnedAnswersTest : public testing::TestWithParam<InstructionSet> {};

TEST_P(PinnedAnswersTest, AreGiven) {
  if (GetParam() > BestInstructionSet()) {
    GTEST_SKIP() << "this processor can't run it";
  }
  std::istringstream lines(ReadTestVectors());
  std::string block, name;
  size_t answers = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, first, hash, answer;
    words >> what >> first >> hash >> answer;
    if (what == "block") name = first;
    if (what == "bytes") block = FromHex(first);
    if (what != "key") continue;
    const std::string key = FromHex(first);
    const FilterBlockReader reader(block, GetParam());
    EXPECT_TRUE(DecodeTrailer(block).ok()) << name;
    EXPECT_EQ(KeyHash(key, reader.seed()), std::stoull(hash, nullptr, 16));
    EXPECT_EQ(reader.MayMatch(key), answer != "no") << name << " " << key;
    ++answers;
  }
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
