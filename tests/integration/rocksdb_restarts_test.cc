// A database that is closed and opened again with another policy, seed, layout
// of tables and allocator each time has tables with filters of all of them side
// by side, and finds what it should.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include "oneline/cache_line_allocator.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/random_rounds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// Each layout and each policy comes at least once.
constexpr int kRestarts = 20;
constexpr size_t kPolicies = 10;
constexpr int kKeys = 2000;

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

struct Opening {
  TableLayout layout;
  rocksdb::Options options;
};

class RandomOpenings {
 public:
  explicit RandomOpenings(std::mt19937_64 &random)
      : random_(random),
        layouts_(std::size(kTableLayouts), random),
        policies_(kPolicies, random) {}

  Opening Next() {
    const TableLayout &layout = kTableLayouts[layouts_.Next()];
    rocksdb::Options options =
        OptionsFor(layout, PolicyNumber(policies_.Next(), layout, random_));
    if (aligned_) {
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
          ->block_cache = rocksdb::NewLRUCache(1 << 20, -1, false, 0.5,
                                               NewCacheLineAlignedAllocator());
    }
    aligned_ = !aligned_;
    return {layout, options};
  }

 private:
  std::mt19937_64 &random_;
  RandomRounds layouts_, policies_;
  bool aligned_ = true;
};

class RestartsTest : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Several, RestartsTest, testing::Range(0, 2));

TEST_P(RestartsTest, EveryKeyIsFoundWhateverWroteTheTables) {
  std::mt19937_64 random = TestRandom();
  RandomOpenings openings(random);
  Opening opening = openings.Next();
  ScratchDatabase database(opening.options);
  database.WriteTable(0, kKeys);
  std::set<std::string> writers;
  size_t most_writers = 0;
  for (int restart = 0; restart < kRestarts; ++restart) {
    SCOPED_TRACE(testing::Message()
                 << "restart " << restart << " " << opening.layout);
    const int first = static_cast<int>(random() % kKeys);
    database.WriteTable(first, std::min(kKeys, first + 500));
    if (random() % 6 == 0) database.CompactAll();
    const auto names = database.PolicyNames();
    writers.insert(names.begin(), names.end());
    most_writers = std::max(most_writers, names.size());
    opening = openings.Next();
    database.Reopen(opening.options);
    ExpectAllFound(database, 0, kKeys);
    if (opening.layout.prefixes) {
      ExpectPrefixSeeksFiltered(database, 0, kKeys, /*min_share=*/0);
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(most_writers, 2u) << "tables of different policies side by side";
  EXPECT_EQ(writers.count("oneline"), 1u);
  // Beside all of them, ours are used.
  database.Reopen(OptionsFor(kTableLayouts[0], OurPolicy(10)));
  database.WriteTable(0, kKeys);
  ExpectFiltered(database, 0, kKeys);
}

}  // namespace
}  // namespace oneline
