#include "tools/size/size_plan.h"

#include "table/block/kind_choice.h"
#include "tests/testing.h"

namespace oneline {
namespace {

const FilterModel& OurRibbon() { return kFilterModels[0]; }
const FilterModel& OurBloom() { return kFilterModels[1]; }

Store OneRun(double keys, size_t keys_per_filter) {
  return {{{keys}}, 1, keys_per_filter};
}

Store Tree(double keys, int levels, double size_ratio = 10) {
  return {LeveledTree(keys, levels, size_ratio, /*level0_runs=*/4), size_ratio,
          1'000'000};
}

std::vector<double> AskedOfLevels(const SizePlan& plan) {
  std::vector<double> asked;
  for (const LevelPlan& level : plan.levels) asked.push_back(level.asked);
  return asked;
}

SizeWanted Bits(double bits_per_key) { return {bits_per_key, {}, {}}; }
SizeWanted Rate(double fp_rate) { return {{}, fp_rate, {}}; }
SizeWanted Memory(double bytes) { return {{}, {}, bytes}; }

TEST(SizePlanTest, KeysAreSpreadEvenlyOverFilters) {
  for (const auto& [keys, per_filter, filters, filter_keys] :
       {std::tuple<double, size_t, double, size_t>{1000, 1000, 1, 1000},
        {1000, 5000, 1, 1000},
        {1001, 1000, 2, 501},
        {1e6, 3250, 308, 3247},
        {1e13, 1'000'000, 1e7, 1'000'000}}) {
    const SizePlan plan =
        PlanFor(OurBloom(), false, OneRun(keys, per_filter), Bits(10));
    EXPECT_EQ(plan.levels[0].filters, filters);
    EXPECT_EQ(plan.levels[0].filter_keys, filter_keys);
    EXPECT_EQ(plan.bytes,
              filters * static_cast<double>(OurBloom().bytes(10, filter_keys)));
    EXPECT_EQ(plan.bits_per_key, 8 * plan.bytes / keys);
    EXPECT_EQ(plan.false_positives, OurBloom().rate(10, filter_keys).fp_rate);
  }
}

TEST(SizePlanTest, BitsPerKeyAreThoseOfTheOption) {
  const Store store = OneRun(1e9, 1'000'000);
  for (double bits : {1.0, kMinRibbonBitsPerKey, 7.5, 10.0, 16.0, 99.0}) {
    for (const FilterModel& model : kFilterModels) {
      const SizePlan plan = PlanFor(model, false, store, Bits(bits));
      if (model.asked_is_bits_per_key) {
        EXPECT_EQ(plan.asked, bits);
        EXPECT_NEAR(plan.bits_per_key, bits, 0.002);
        // The policies round to thousandths as well.
        EXPECT_EQ(PlanFor(model, false, store, Bits(bits + 0.0004)).asked,
                  bits);
      } else if (bits < 33) {
        // As near as steps of 0.001 in `asked` come.
        EXPECT_LE(plan.bits_per_key, bits + 0.001);
        EXPECT_GE(plan.bits_per_key, bits - 0.08);
      } else {
        EXPECT_EQ(plan.asked, 100);
      }
    }
  }
}

TEST(SizePlanTest, RateIsReachedWithTheLeastBits) {
  for (const Store& store : {OneRun(1e9, 1'000'000), Tree(1e9, 4)}) {
    for (const FilterModel& model : kFilterModels) {
      for (double rate : {0.01, 0.4, 1e-6}) {
        if (kSlow && rate != 0.01) break;
        const SizePlan plan = PlanFor(model, false, store, Rate(rate));
        const LevelPlan& last = plan.levels.back();
        EXPECT_EQ(last.asked, plan.asked);
        EXPECT_LE(last.rate.fp_rate, rate);
        if (plan.asked > 1) {
          EXPECT_GT(model.rate(plan.asked - 0.001, last.filter_keys).fp_rate,
                    rate)
              << model.name;
        }
      }
    }
  }
}

TEST(SizePlanTest, MemoryIsUsedUpAndNotExceeded) {
  for (const Store& store :
       {OneRun(1e9, 1'000'000), OneRun(1e9, 3250), Tree(1e10, 5)}) {
    const auto expect_used_up = [&](const SizePlan& plan, double bytes,
                                    const SizePlan& one_more) {
      if (plan.asked == 1 || plan.asked == 100) return;
      EXPECT_LE(plan.bytes, bytes);
      EXPECT_GT(one_more.bytes, bytes) << plan.asked;
    };
    for (const double bits : {1.1, 2.0, 9.0, 30.0}) {
      const double bytes = bits * store.Keys() / 8;
      for (const FilterModel& model : kFilterModels) {
        // Of RocksDB's Ribbon one does not ask for bits.
        if (!model.asked_is_bits_per_key) continue;
        const SizePlan plan = PlanFor(model, false, store, Memory(bytes));
        expect_used_up(plan, bytes,
                       PlanFor(model, false, store, Bits(plan.asked + 0.001)));
      }
      if (!store.is_tree()) continue;
      const SizePlan plan = PlanFor(OurBloom(), true, store, Memory(bytes));
      expect_used_up(
          plan, bytes,
          PlanFor(OurBloom(), true, store, Bits(plan.asked + 0.001)));
    }
  }
}

TEST(SizePlanTest, AFilterBlockHasAtMost4GiB) {
  const Store store = OneRun(kMaxRibbonKeys, kMaxRibbonKeys);
  for (const FilterModel& model : kFilterModels) {
    const SizePlan plan = PlanFor(model, false, store, Bits(100));
    EXPECT_LE(plan.bytes, 4294967296.0) << model.name;
    EXPECT_GT(plan.bytes, 0.95 * 4294967296.0) << model.name;
  }
}

// The last level gets the bits asked for, level 0 1.4 times as many, and each
// level from the last one up 0.225 times more, but no level more than 16.
TEST(SizePlanTest, ByLevelIsWhatThePolicyDoes) {
  const Store store = Tree(1e12, 5);
  for (const FilterModel* model : {&OurRibbon(), &OurBloom()}) {
    const SizePlan uniform = PlanFor(*model, false, store, Bits(10));
    const SizePlan plan = PlanFor(*model, true, store, Bits(10));
    EXPECT_EQ(plan.asked, 10);
    EXPECT_EQ(AskedOfLevels(plan),
              (std::vector<double>{14, 16, 16, 16, 13.334, 9.497}));
    EXPECT_NEAR(plan.bits_per_key, 9.9, 0.03);
    EXPECT_LT(3 * plan.false_positives, uniform.false_positives);
  }
  EXPECT_EQ(
      AskedOfLevels(PlanFor(OurRibbon(), true, Tree(1e12, 5, 3), Bits(10))),
      (std::vector<double>{14, 16, 14.541, 12.71, 10.879, 9.048}));
  // Where lookups find their keys there are fewer false positives to save.
  Store hits = store;
  hits.hits = 0.9;
  EXPECT_EQ(AskedOfLevels(PlanFor(OurRibbon(), true, hits, Bits(10))),
            (std::vector<double>{14, 16, 16, 16, 13.334, 6.06}));
  // The last level has the rate that was asked for.
  const SizePlan by_rate = PlanFor(OurRibbon(), true, store, Rate(0.01));
  EXPECT_EQ(by_rate.levels.back().asked, by_rate.asked);
  EXPECT_EQ(by_rate.options.fp_rate, 0.01);
  EXPECT_EQ(AskedOfLevels(PlanFor(OurRibbon(), true, store, Bits(20))),
            std::vector<double>(6, 20));
}

}  // namespace
}  // namespace oneline
