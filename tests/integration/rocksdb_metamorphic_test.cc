// The same random history in databases that differ in their filters alone:
// none, ours, RocksDB's, and one after the other, some with new filters by
// Refilter in between. All answers must be the same.
//
// A history that fails is printed with its seed and what is left of it when
// operations that do not matter are removed.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/filter_policy/history_database.h"
#include "tests/filter_policy/random_history.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr int kOperations = kSlow ? 100 : 200;

const HistorySetup kUnfiltered = {"none", {"nullptr"}};

const std::vector<HistorySetup>& Setups() {
  static const auto* const setups = new std::vector<HistorySetup>{
      {"ours", {"oneline:10"}},
      {"ours, partitioned", {"oneline:6"}, /*partitioned=*/true},
      {"ours, for hits", {"{id=oneline;hits=0.9}"}},
      {"ours, prefixes alone",
       {"{id=oneline;fp_rate=0.02}"},
       /*partitioned=*/false,
       /*whole_keys=*/false},
      {"one after the other",
       {"oneline:10", "bloomfilter:10:false", "nullptr",
        "{id=oneline;kind=bloom;bits_per_key=7}", "ribbonfilter:10:-1"}},
      {"one after the other, partitioned",
       {"bloomfilter:8:false", "oneline:5", "ribbonfilter:10:0", "oneline:20"},
       /*partitioned=*/true},
  };
  return *setups;
}

// The first operation whose answer differs; the number of operations if none
// does.
size_t FirstDifference(const History& history, const HistoryWorld& world,
                       const HistorySetup& setup) {
  const Answers expected = Run(history, world, kUnfiltered);
  const Answers answers = Run(history, world, setup);
  return static_cast<size_t>(std::mismatch(expected.of_operations.begin(),
                                           expected.of_operations.end(),
                                           answers.of_operations.begin())
                                 .first -
                             expected.of_operations.begin());
}

// The part of an answer in which it begins to differ from another one.
std::string AroundDifference(const std::string& answer,
                             const std::string& other) {
  size_t same = 0;
  while (same < answer.size() && same < other.size() &&
         answer[same] == other[same]) {
    ++same;
  }
  const size_t begin = same < 100 ? 0 : same - 100;
  return answer.substr(begin, 200);
}

std::string Shown(const History& history) {
  std::ostringstream out;
  for (const Operation& operation : history) out << "  " << operation << "\n";
  return out.str();
}

// `least_useful`: lookups that filters must have answered.
void ExpectSameAnswers(const HistoryWorld& world, std::mt19937_64& random,
                       uint64_t least_useful) {
  const History history = RandomHistory(kOperations, random);
  const Answers expected = Run(history, world, kUnfiltered);
  EXPECT_EQ(expected.useful, 0u);
  for (const HistorySetup& setup : Setups()) {
    const Answers answers = Run(history, world, setup);
    for (size_t i = 0; i < history.size(); ++i) {
      if (answers.of_operations[i] == expected.of_operations[i]) continue;
      const History upto(history.begin(),
                         history.begin() + static_cast<ptrdiff_t>(i) + 1);
      const History shortest = Minimised(upto, [&](const History& part) {
        return FirstDifference(part, world, setup) < part.size();
      });
      FAIL() << setup.name << ", " << history[i] << ":\n"
             << AroundDifference(answers.of_operations[i],
                                 expected.of_operations[i])
             << "\nwithout filters:\n"
             << AroundDifference(expected.of_operations[i],
                                 answers.of_operations[i])
             << "\nThe same with\n"
             << Shown(shortest);
    }
    EXPECT_GE(answers.useful, least_useful) << setup.name;
  }
}

class MetamorphicTest : public testing::TestWithParam<int> {
 protected:
  HistoryWorld world() const {
    HistoryWorld world;
    world.prefixes = GetParam() % 2 == 1;
    world.transactions = GetParam() / 2 % 2 == 1;
    world.universal = GetParam() / 4 % 2 == 1;
    return world;
  }
};

INSTANTIATE_TEST_SUITE_P(Worlds, MetamorphicTest, testing::Range(0, 8));

TEST_P(MetamorphicTest, FiltersChangeNoAnswer) {
  std::mt19937_64 random = TestRandom();
  // Some histories have hardly a table when they look up keys.
  ExpectSameAnswers(world(), random, 0);
}

// The same in every run.
TEST_P(MetamorphicTest, FiltersChangeNoAnswerOfAFixedHistory) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()));
  ExpectSameAnswers(world(), random, 50);
}

}  // namespace
}  // namespace oneline
