#include "tools/advise/read_costs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"

namespace oneline {
namespace {

// To find a block in the block cache and search it; docs/allocation.md.
constexpr double kSearchMicros = 2;

// Fewer blocks of a level tell nothing of the time.
constexpr double kMinBlocks = 100;

double TwoDigits(double number) {
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return std::round(number / unit) * unit;
}

// The keys that lookups found in each level. RocksDB adds up those from level 2
// on; they are divided by keys.
std::vector<double> Hits(const std::vector<LevelAdvice>& levels,
                         const FilterStatistics& statistics) {
  double deeper_keys = 0;
  for (const LevelAdvice& level : levels) {
    if (level.level >= 2) deeper_keys += static_cast<double>(level.keys);
  }
  std::vector<double> hits;
  for (const LevelAdvice& level : levels) {
    if (level.level == 0) {
      hits.push_back(static_cast<double>(statistics.level0_hits));
    } else if (level.level == 1) {
      hits.push_back(static_cast<double>(statistics.level1_hits));
    } else {
      hits.push_back(static_cast<double>(statistics.deeper_hits) *
                     static_cast<double>(level.keys) / deeper_keys);
    }
  }
  return hits;
}

std::vector<LevelReadCost> CostsOf(const std::vector<LevelAdvice>& levels,
                                   const FilterStatistics& statistics,
                                   const std::map<int, FileReads>& file_reads) {
  const std::vector<double> hits = Hits(levels, statistics);
  const double lookups = static_cast<double>(statistics.lookups);
  double left = lookups - static_cast<double>(statistics.memtable_hits);
  double expected = 0;  // wasted reads, for as many lookups
  std::vector<LevelReadCost> costs;
  for (size_t i = 0; i < levels.size(); ++i) {
    LevelReadCost cost;
    cost.level = levels[i].level;
    left = std::max(left - hits[i], 0.0);
    cost.asked = left / lookups;
    expected += cost.asked * levels[i].current.false_positives;
    costs.push_back(cost);
  }
  for (size_t i = 0; i < levels.size(); ++i) {
    LevelReadCost& cost = costs[i];
    const double share =
        expected == 0
            ? 0
            : cost.asked * levels[i].current.false_positives / expected;
    cost.blocks =
        hits[i] + share * static_cast<double>(statistics.wasted_reads());
    const auto reads = file_reads.find(cost.level);
    if (reads != file_reads.end()) {
      cost.file_reads = static_cast<double>(reads->second.count);
      cost.micros_per_file_read = reads->second.micros;
    }
    const double missed =
        std::min(cost.file_reads / std::max(cost.blocks, 1.0), 1.0);
    cost.micros = kSearchMicros + missed * cost.micros_per_file_read;
  }
  return costs;
}

// The mean over keys of what wasted reads cost, some of these levels together.
struct Mean {
  double keys = 0, cost = 0, blocks = 0;

  void Add(const LevelAdvice& level, const LevelReadCost& read) {
    const double n = static_cast<double>(level.keys);
    keys += n;
    cost += n * read.asked * read.micros;
    blocks += read.blocks;
  }
  double mean() const { return cost / keys; }
};

// The time of wasted reads with filters for this last_level_cost, in the memory
// of today's.
double Micros(const ColumnFamilyModel& model, double last_level_cost,
              const std::vector<LevelReadCost>& costs) {
  const ColumnFamilyAdvice advice =
      model.WithLastLevelCost(last_level_cost)
          .WithMemory(model.today().current().bytes);
  double micros = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    micros += costs[i].asked * costs[i].micros *
              advice.levels[i].proposed.false_positives;
  }
  return micros;
}

}  // namespace

absl::StatusOr<ReadCosts> EstimateReadCosts(
    const ColumnFamilyModel& model, const FilterStatistics& statistics) {
  const ColumnFamilyAdvice& today = model.today();
  const auto file_reads = statistics.file_reads.find(today.name);
  if (file_reads == statistics.file_reads.end() || statistics.lookups == 0) {
    return absl::NotFoundError(
        "The LOG does not say what a read of each level costs: no lookup "
        "read a table's file.");
  }
  const std::vector<LevelAdvice>& levels = today.levels;
  ReadCosts result;
  result.levels = CostsOf(levels, statistics, file_reads->second);
  const auto largest =
      std::max_element(levels.begin(), levels.end(),
                       [](const LevelAdvice& a, const LevelAdvice& b) {
                         return a.keys < b.keys;
                       });
  Mean above, last;
  double reads = 0, micros = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    const bool is_above = levels.begin() + i < largest;
    (is_above ? above : last).Add(levels[i], result.levels[i]);
    reads += result.levels[i].file_reads;
    micros +=
        result.levels[i].file_reads * result.levels[i].micros_per_file_read;
  }
  // No cost: by the counters no lookup of an absent key came there.
  if (above.blocks < kMinBlocks || last.blocks < kMinBlocks ||
      above.cost == 0 || last.cost == 0) {
    return absl::NotFoundError(
        "The LOG does not say what a read of each level costs: lookups read "
        "too few blocks of the last level, or of the others.");
  }
  constexpr double kMost = 1.2;
  result.only_lookups =
      reads <= kMost * static_cast<double>(statistics.block_reads) &&
      micros <= kMost * static_cast<double>(statistics.block_read_micros);
  result.last_level_cost =
      TwoDigits(std::clamp(last.mean() / above.mean(), 0.01, 1000.0));
  if (model.today().current().bytes > 0) {
    result.saved = 1 - Micros(model, result.last_level_cost, result.levels) /
                           Micros(model, 1, result.levels);
  }
  return result;
}

}  // namespace oneline
