// A database that is closed and opened again with another policy, seed, layout
// of tables and allocator each time has tables with filters of all of them side
// by side, and gives the same answers as one without filters.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include "oneline/cache_line_allocator.h"
#include "tests/filter_policy/differential.h"
#include "tests/random_rounds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// Each layout and each policy comes at least once.
constexpr int kRestarts = 20;
constexpr size_t kPolicies = 10;

PolicyPtr PolicyNumber(size_t i, const TableLayout &layout,
                       std::mt19937_64 &random) {
  const double bits_per_key = 1 + static_cast<double>(random() % 200) / 10;
  switch (i) {
    case 0:
      return nullptr;
    case 1:
      return PolicyNamed("bloomfilter:10:false");
    case 2:
      return PolicyNamed("ribbonfilter:10:-1");
    case 3:
      return PolicyNamed("{id=oneline;bits_per_key=8;bits_by_level=false}");
    case 4:
      return PolicyNamed("{id=oneline;fp_rate=0.02;bloom_before_level=1}");
    case 5:
      return PolicyNamed("{id=oneline;level_bits_per_key=0:12:5}");
    case 6:
      return OurPolicy(bits_per_key, Kind::kRibbon, random());
    case 7:
      return OurPolicy(bits_per_key, Kind::kBloom, random());
    default:
      return PolicyFor(layout, bits_per_key);
  }
}

class RandomOpenings {
 public:
  explicit RandomOpenings(std::mt19937_64 &random)
      : random_(random),
        layouts_(std::size(kTableLayouts), random),
        policies_(kPolicies, random) {}

  Opening Next() {
    Opening opening;
    opening.layout = kTableLayouts[layouts_.Next()];
    opening.policy = PolicyNumber(policies_.Next(), opening.layout, random_);
    if (aligned_) opening.allocator = NewCacheLineAlignedAllocator();
    aligned_ = !aligned_;
    return opening;
  }

 private:
  std::mt19937_64 &random_;
  RandomRounds layouts_, policies_;
  bool aligned_ = true;
};

class RestartsTest : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Several, RestartsTest, testing::Range(0, 2));

TEST_P(RestartsTest, SameAnswersWhateverWroteTheTables) {
  std::mt19937_64 random = TestRandom();
  RandomOpenings openings(random);
  Differential differential(openings.Next(), std::mt19937_64(random()));
  std::set<std::string> writers;
  size_t most_writers = 0;
  for (int restart = 0; restart < kRestarts; ++restart) {
    SCOPED_TRACE(testing::Message() << "restart " << restart);
    differential.Run(60);
    differential.Flush();
    if (HasFatalFailure()) return;
    const auto names = differential.filtered().PolicyNames();
    writers.insert(names.begin(), names.end());
    most_writers = std::max(most_writers, names.size());
    differential.Reopen(openings.Next());
  }
  EXPECT_GE(most_writers, 2u) << "tables of different policies side by side";
  EXPECT_EQ(writers.count("oneline"), 1u);

  // Keys of all tables are found with our policy, which reads all filters.
  Opening last;
  last.layout = kTableLayouts[0];
  last.policy = PolicyFor(last.layout);
  differential.Reopen(last);
  differential.Run(100);
  if (HasFatalFailure()) return;
  differential.ExpectFiltersUsed();
}

}  // namespace
}  // namespace oneline
