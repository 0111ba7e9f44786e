#include "bench/databases/load_plan.h"

#include <algorithm>
#include <random>

namespace oneline {

FixedTree TenfoldTree() {
  return {{{3, 8, 0.1100}, {2, 2, 0.0450}, {1, 1, 0.0200}, {0, 4, 0.0025}},
          uint64_t{8} << 20};
}

FixedTree StockTree() {
  return {{{2, 5, 0.1000}, {1, 3, 0.0900}, {0, 4, 0.0575}}, uint64_t{64} << 20};
}

FixedTree BottomHeavyTree(size_t num_records) {
  return {{{6, 16, 0.89 / 16}, {5, 2, 0.045}, {4, 1, 0.014}, {0, 3, 0.002}},
          num_records * 8 / 5};
}

uint64_t LoadPlan::entries_written() const {
  uint64_t entries = 0;
  auto flush = flushes.begin();
  for (const Generation& generation : tree.generations) {
    for (int i = 0; i < generation.num_flushes; ++i, ++flush) {
      entries += flush->size() * (generation.level > 0 ? 2 : 1);
    }
  }
  return entries;
}

LoadPlan PlanLoad(const FixedTree& tree, size_t num_records, uint64_t seed,
                  Arrival arrival) {
  std::vector<double> share_up_to;
  double sum = 0;
  for (const Generation& generation : tree.generations) {
    for (int i = 0; i < generation.num_flushes; ++i) {
      share_up_to.push_back(sum += generation.share_of_flush);
    }
  }
  std::mt19937_64 random(seed);
  LoadPlan plan = {tree, arrival, {}};
  plan.flushes.resize(share_up_to.size());
  for (uint32_t record = 0; record < num_records; ++record) {
    const double drawn = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
    size_t flush = 0;
    while (flush + 1 < share_up_to.size() && drawn >= share_up_to[flush]) {
      ++flush;
    }
    plan.flushes[flush].push_back(record);
  }
  if (arrival == Arrival::kRandom) {
    for (auto& flush : plan.flushes) {
      std::shuffle(flush.begin(), flush.end(), random);
    }
  }
  return plan;
}

}  // namespace oneline
