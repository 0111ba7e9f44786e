// Tests of membership/hashes/hash_contest.h: the marks of the published contest
// follow from its collisions, which are chance, and what it leaves out.

#include "membership/hashes/hash_contest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "membership/filters/classic_model.h"
#include "membership/hashes/string_hash.h"
#include "tests/sanitizers.h"

namespace oneline {
namespace {

// The published mean of the marks of each function.
TEST(MarksTest, ThePublishedMarksFollowFromThePublishedCollisions) {
  // BKDR, AP, DJB, JS, RS, SDBM, PJW, ELF.
  constexpr double kPublished[kNumClassicHashes] = {92.64, 86.28, 83.43, 81.94,
                                                    75.96, 72.41, 21.95, 21.95};
  const std::vector<ContestMarks> marks =
      Marks({kPublishedContest.begin(), kPublishedContest.end()});
  for (size_t i = 0; i < kNumClassicHashes; ++i) {
    EXPECT_STREQ(kPublishedContest[i].name, kStringHashes[i].name);
    EXPECT_NEAR(marks[i].root_mean_square, kPublished[i], 0.006)
        << kPublishedContest[i].name;
  }
}

TEST(CollisionsTest, CountsStringsWithTheHashOfAnEarlierOne) {
  const std::vector<std::string> strings = {"a", "b", "a", "c", "a"};
  EXPECT_EQ(Collisions(kStringHashes[0].hash, strings, 0), 2u);
  // 97, 98, 99 modulo 2.
  EXPECT_EQ(Collisions(kStringHashes[0].hash, strings, 2), 3u);
  EXPECT_EQ(Collisions(kStringHashes[0].hash, {}, 0), 0u);
}

// By chance there are 2.3 collisions with 31 bits, 18.6 with 28 bits, 4837 in
// the small table and 498 in the large one. All published numbers are within 3
// standard deviations of that, so the marks say nothing about the first six
// functions. The last two have only 28 bits.
TEST(ExpectedCollisionsTest, ThePublishedRanksAreChance) {
  const double expected[] = {2.33, 2.33, 4837, 498};
  const double ranges[] = {0x1p31, 0x1p31, kSmallTable, kLargeTable};
  EXPECT_NEAR(ExpectedCollisions(kContestStrings, 0x1p28), 18.6, 0.05);
  for (size_t j = 0; j < kNumDisciplines; ++j) {
    EXPECT_NEAR(ExpectedCollisions(kContestStrings, ranges[j]), expected[j],
                j < 2 ? 0.005 : 0.5);
    for (size_t i = 0; i < kNumClassicHashes; ++i) {
      const double chance = i >= 6 && j < 2 ? 18.6 : expected[j];
      EXPECT_NEAR(kPublishedContest[i].collisions[j], chance,
                  3 * std::sqrt(chance))
          << kPublishedContest[i].name << " " << j;
    }
  }
}

TEST(ContestStringsTest, AreDifferentAndTheSameInEveryRun) {
  std::vector<std::string> words;
  for (int i = 0; i < 1000; ++i) words.push_back(std::to_string(i));
  for (const auto &strings :
       {RandomStrings(10000, 1), Sentences(words, 10000, 1)}) {
    EXPECT_EQ(std::set<std::string>(strings.begin(), strings.end()).size(),
              10000u);
  }
  EXPECT_EQ(RandomStrings(3, 1),
            (std::vector<std::string>{"QieMVSDguYHT5WVV0", "EdLI9RKX",
                                      "yKvffGCkoNFEWYizXwZf"}));
}

// What the contest does not show: for functions that only multiply and add, the
// first byte changes the hash of all strings of a length by the same constant,
// so strings that collide once collide for every first byte. The contest's
// winner is one of these functions.
TEST(BloomFpRateTest, LinearFunctionsHaveTooManyFalsePositives) {
  const size_t n = kSlow ? 20000 : 100000;
  const std::vector<std::string> strings = RandomStrings(2 * n, 1);
  const std::vector<std::string> members(strings.begin(), strings.begin() + n);
  const std::vector<std::string> absent(strings.begin() + n, strings.end());
  const auto bits = static_cast<uint32_t>(10 * n + 3);
  const double theory = ClassicBloomFpRate(static_cast<double>(bits) / n, 7);
  const std::set<std::string> good = {"APHash", "JSHash", "XXH3", "MurmurHash3",
                                      "absl::Hash"};
  for (const StringHash &hash : kStringHashes) {
    const double rate = BloomFpRate(hash.hash, members, absent, bits, 7);
    if (good.count(hash.name) != 0) {
      EXPECT_NEAR(rate, theory, 6 * std::sqrt(theory / n)) << hash.name;
    } else {
      EXPECT_GT(rate, 1.5 * theory) << hash.name;
    }
  }
}

}  // namespace
}  // namespace oneline
