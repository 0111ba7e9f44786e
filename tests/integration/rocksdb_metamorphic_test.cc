// The same random history in databases that differ in their filters and in how
// they keep them: none, ours, RocksDB's, one after the other, and new ones by
// Refilter in between. All answers must be the same. Worlds, options and
// histories are drawn from one seed, that of the test.
//
// A history that fails is printed with the options.

#include "tests/filter_policy/history_database.h"

namespace oneline {
namespace {

constexpr int kOperations = kSlow ? 100 : 200;

// Databases with filters for each history.
constexpr int kSetups = kSlow ? 2 : 5;

// Lookups that filters answer in all of a run's databases.
constexpr uint64_t kLeastUseful = kSlow ? 4000 : 10000;

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
  const auto [answer, other] =
      std::mismatch(answers.of_operations.begin(), answers.of_operations.end(),
                    expected.of_operations.begin());
  if (answer == answers.of_operations.end()) return;
  const auto i = answer - answers.of_operations.begin();
  FAIL() << history[static_cast<size_t>(i)] << ":\n"
         << *answer << "\nwithout filters:\n"
         << *other << "\nafter\n"
         << Shown({history.begin(), history.begin() + i + 1});
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
