// Holds tests/golden/0.1.0/vectors.txt, and with it every reader of the format,
// to the code: the pinned text is what the code makes, and its keys get the
// pinned answers with each instruction set.

#include "tests/golden/test_vectors.h"

#include "table/block/filter_block.h"
#include "table/short_block/short_block.h"
#include "tests/golden/remade_vectors.h"
#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace {

TEST(TestVectorsTest, TextNeverChanges) {
  EXPECT_EQ(ReadWholeFile(kVectorsFile), RemadeVectors());
}

class PinnedAnswersTest : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!IsSupported(GetParam())) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }

  // `may_match` answers the vectors of this form.
  template <typename MayMatch>
  static void ExpectPinnedAnswers(const char* form, MayMatch may_match) {
    size_t no = 0;
    for (const TestVector& vector : PinnedVectors()) {
      if (vector.form != form) continue;
      SCOPED_TRACE(vector.name);
      std::vector<uint64_t> hashes;
      std::vector<bool> expected;
      for (size_t i = 0; i < vector.num_added + vector.answers.size(); ++i) {
        hashes.push_back(KeyHash(vector.Key(i), vector.seed));
        expected.push_back(vector.MayMatch(i));
        no += expected.back() ? 0 : 1;
      }
      EXPECT_EQ(may_match(vector, hashes), expected);
    }
    EXPECT_GT(no, 1000u);
  }
};

TEST_P(PinnedAnswersTest, AreGivenByFilterBlocks) {
  ExpectPinnedAnswers("block", [](const TestVector& vector,
                                  const std::vector<uint64_t>& hashes) {
    const FilterBlockReader reader(vector.bytes, GetParam());
    EXPECT_EQ(DecodeTrailer(vector.bytes).has_value(), !vector.IsRefused());
    EXPECT_EQ(reader.seed(), vector.IsRefused() ? 0 : vector.seed);
    std::vector<bool> answers;
    for (uint64_t hash : hashes) answers.push_back(reader.MayMatchHash(hash));
    const std::unique_ptr<bool[]> batch(new bool[hashes.size()]);
    reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
    EXPECT_TRUE(std::equal(answers.begin(), answers.end(), batch.get()));
    return answers;
  });
}

TEST_P(PinnedAnswersTest, AreGivenByShortBlocks) {
  ExpectPinnedAnswers("short", [](const TestVector& vector,
                                  const std::vector<uint64_t>& hashes) {
    std::vector<bool> answers;
    for (uint64_t hash : hashes) {
      answers.push_back(ShortBlockMayMatch(vector.bytes, hash,
                                           ShortBlockKernelsFor(GetParam())));
    }
    return answers;
  });
}

INSTANTIATE_TEST_SUITE_P(All, PinnedAnswersTest, testing::ValuesIn(AllSets()),
                         [](const auto& set) {
                           return std::string(NameOf(set.param));
                         });

}  // namespace
}  // namespace oneline
