// Tests of the option fp_rate: tables have the false-positive rate asked for,
// with each kind of filter, and no larger filters than it takes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/sanitizers.h"

namespace oneline {
namespace {

using rocksdb::Status;

// Number of keys, of which half are absent.
constexpr int kLast = kSlow ? 50000 : 200000;

PolicyPtr RatePolicy(Kind kind, double rate) {
  FilterOptions options;
  options.kind = kind;
  options.fp_rate = rate;
  options.bits_by_level = false;
  return NewRocksDBFilterPolicy(options);
}

// The share of absent keys that pass the filters.
double MeasuredRate(const ScratchDatabase& database) {
  const uint64_t before = database.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
  std::string value;
  for (int i = 1; i < kLast; i += 2) {
    const Status status =
        database->Get(rocksdb::ReadOptions(), KeyAt(i), &value);
    EXPECT_TRUE(status.IsNotFound()) << status.ToString();
  }
  const uint64_t useful =
      database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) - before;
  return 1 - static_cast<double>(useful) / (kLast / 2);
}

// 3 % for the model's error, and five standard deviations of the lookups.
double Tolerance(double rate) {
  return 0.03 * rate + 5 * std::sqrt(rate / (kLast / 2));
}

struct RateCase {
  Kind kind;
  double rate;
  double bits_per_key;  // about
};

TEST(FpRateTest, TablesHaveTheRateAskedFor) {
  for (const RateCase& c :
       {RateCase{Kind::kRibbon, 0.2, 2.7}, RateCase{Kind::kRibbon, 0.01, 7.05},
        RateCase{Kind::kRibbon, 0.001, 10.9}, RateCase{Kind::kBloom, 0.2, 3.4},
        RateCase{Kind::kBloom, 0.01, 9.9}}) {
    SCOPED_TRACE(testing::Message()
                 << "kind " << static_cast<int>(c.kind) << ", " << c.rate);
    ScratchDatabase database(OptionsWith(RatePolicy(c.kind, c.rate)));
    database.WriteTable(0, kLast);
    EXPECT_NEAR(database.FilterBitsPerKey(), c.bits_per_key, 0.3);
    EXPECT_NEAR(MeasuredRate(database), c.rate, Tolerance(c.rate));
  }
}

}  // namespace
}  // namespace oneline
