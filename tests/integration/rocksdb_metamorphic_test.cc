// The same random history in databases that differ in their filters and in how
// they keep them: none, ours, RocksDB's, one after the other, and new ones by
// Refilter in between. All answers must be the same. Worlds, options and
// histories are drawn from one seed, that of the test.
//
// A history that fails is printed with the options.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/filter_policy/history_database.h"
#include "tests/filter_policy/history_setup.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr int kOperations = kSlow ? 100 : 200;

// Lookups that filters answer in all of a run's databases.
constexpr uint64_t kLeastUseful = 10000;

// Databases with filters for each history.
constexpr int kSetups = 5;

// The first operation whose answer differs; their number if none does.
size_t FirstDifference(const History& history, const Answers& answers,
                       const Answers& expected) {
  size_t i = 0;
  while (i < history.size() &&
         answers.of_operations[i] == expected.of_operations[i]) {
    ++i;
  }
  return i;
}

// The part of an answer in which it begins to differ from another one.
std::string AroundDifference(const std::string& answer,
                             const std::string& other) {
  size_t same = 0;
  while (same < std::min(answer.size(), other.size()) &&
         answer[same] == other[same]) {
    ++same;
  }
  return answer.substr(same < 100 ? 0 : same - 100, 200);
}

std::string Shown(const History& history) {
  std::ostringstream out;
  for (const Operation& operation : history) out << "  " << operation << "\n";
  return out.str();
}

// What all databases with filters did.
struct Totals {
  uint64_t useful = 0;
  std::map<std::string, uint64_t> done;
};

void ExpectSame(const History& history, const HistoryWorld& world,
                const HistorySetup& setup, const Answers& expected,
                Totals* totals) {
  const Answers answers = Run(history, world, setup);
  totals->useful += answers.useful;
  for (const auto& [action, times] : answers.done) {
    totals->done[action] += times;
  }
  const size_t i = FirstDifference(history, answers, expected);
  if (i == history.size()) return;
  const History upto(history.begin(),
                     history.begin() + static_cast<ptrdiff_t>(i) + 1);
  const std::string& answer = answers.of_operations[i];
  const std::string& other = expected.of_operations[i];
  FAIL() << history[i] << ":\n"
         << AroundDifference(answer, other) << "\nwithout filters:\n"
         << AroundDifference(other, answer) << "\nafter\n"
         << Shown(upto);
}

// A history in each world.
TEST(MetamorphicTest, FiltersChangeNoAnswer) {
  std::mt19937_64 random = TestRandom();
  Totals totals;
  for (int number = 0; number < kNumWorlds; ++number) {
    const HistoryWorld world = WorldOf(number);
    SCOPED_TRACE(testing::Message() << "world " << number);
    const History history = RandomHistory(kOperations, random);
    const Answers expected = oneline::Run(history, world, Unfiltered());
    EXPECT_EQ(expected.useful, 0u);
    for (int n = 0; n < kSetups; ++n) {
      const HistorySetup setup = DrawSetup(random);
      SCOPED_TRACE(testing::Message() << setup);
      ExpectSame(history, world, setup, expected, &totals);
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(totals.useful, kLeastUseful);
  for (const auto& action : HistoryDatabase::Actions()) {
    EXPECT_GE(totals.done[action.name], 1u) << action.name;
  }
}

}  // namespace
}  // namespace oneline
