// What somebody can do who chooses keys and knows the code: without the seed of
// a filter no more than chance, with it what SECURITY.md says.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "tests/table/all_kinds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using Keys = std::vector<std::string>;

constexpr size_t kKeys = 20000;

// Keys as strangers would send them, the same but for a number: the first `n`
// from this number on that are accepted.
template <typename Accept>
Keys NumberedKeys(uint64_t first, size_t n, Accept accept) {
  Keys keys;
  for (uint64_t i = first; keys.size() < n; ++i) {
    std::string key = "user:" + std::to_string(i);
    if (accept(key)) keys.push_back(std::move(key));
  }
  return keys;
}
Keys NumberedKeys(uint64_t first, size_t n) {
  return NumberedKeys(first, n, [](const std::string&) { return true; });
}

class ChosenKeysTest : public testing::TestWithParam<const KindTraits*> {
 protected:
  FilterBlock Build(const Keys& keys, uint64_t seed) const {
    FilterBlockBuilder builder(*GetParam(), 10, seed);
    for (const std::string& key : keys) builder.AddKey(key);
    return builder.Finish();
  }

  static double PassingShare(const FilterBlock& block, const Keys& keys) {
    const FilterBlockReader reader(block.view());
    size_t passing = 0;
    for (const std::string& key : keys) passing += reader.MayMatch(key);
    return static_cast<double>(passing) / static_cast<double>(keys.size());
  }

  const Keys stored_ = NumberedKeys(0, kKeys);
  const Keys absent_ = NumberedKeys(500000000, 200000);
  std::mt19937_64 random_ = TestRandom();
  const uint64_t seed_ = random_();
  const uint64_t other_seed_ = random_();
};

INSTANTIATE_TEST_SUITE_P(Kinds, ChosenKeysTest, testing::ValuesIn(AllKinds()),
                         [](const auto& test) { return test.param->name; });

// The attacker builds the filter of the same keys, all of which he knows, with
// a seed of his own, or has that of another database.
TEST_P(ChosenKeysTest, PassAsOftenAsOthersWhereTheSeedIsNotKnown) {
  const FilterBlock attackers = Build(stored_, other_seed_);
  const FilterBlock attacked = Build(stored_, seed_);
  const FilterBlockReader reader(attackers.view());
  const Keys chosen = NumberedKeys(
      1000000000, 1000,
      [&](const std::string& key) { return reader.MayMatch(key); });
  const double chance = PassingShare(attacked, absent_);
  EXPECT_LT(chance, 0.02);
  // Six standard deviations of 1,000 keys.
  EXPECT_NEAR(PassingShare(attacked, chosen), chance,
              6 * std::sqrt(chance / 1000));
}

// Lines that are asked to hold too many keys answer "maybe". The others answer
// as ever, no key is missed, and the filter has the size that it always has.
TEST_P(ChosenKeysTest, CrowdAFewLinesWhereTheSeedIsKnown) {
  const FilterBlock ordinary = Build(stored_, seed_);
  const uint32_t num_lines = DecodeTrailer(ordinary.view())->num_lines;
  const Keys crowded = NumberedKeys(0, kKeys, [&](const std::string& key) {
    return LineIndex(KeyHash(key, seed_), num_lines) < num_lines / 10;
  });
  const FilterBlock attacked = Build(crowded, seed_);
  EXPECT_EQ(attacked.size, ordinary.size);
  EXPECT_EQ(PassingShare(attacked, crowded), 1);
  EXPECT_GT(PassingShare(attacked, absent_), 0.08);
  EXPECT_LT(PassingShare(attacked, absent_), 0.12);
}

}  // namespace
}  // namespace oneline
