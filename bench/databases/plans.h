// What database_bench can do: plans, each of which makes databases, looks keys
// up in them, and prints results.

#ifndef ONELINE_BENCH_DATABASES_PLANS_H_
#define ONELINE_BENCH_DATABASES_PLANS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/keys/path_list.h"
#include "tools/text/progress.h"

namespace oneline {

// How much is measured, and where.
struct Effort {
  double scale = 1;   // factor for the numbers of records and lookups
  size_t rounds = 7;  // odd
  std::shared_ptr<const PathList> paths;  // null: plans with paths do nothing
  std::string directory;                  // for databases, empty
  std::string keep;  // directory of "large"; empty: it does nothing
  Progress* progress = nullptr;
};

struct Plan {
  std::string name;
  std::function<void(const Effort& effort)> run;
};

// "databases ..." and "writes ...": RocksDB without filters, with its own and
// with ours, of the same size, with all blocks in the cache and with nearly all
// on disk; and the time to load them. "Get, absent keys" is one of them by
// threads.
std::vector<Plan> ComparisonPlans();

// "budget": what lookups read into a block cache of 1/10 to 1/100 of the data,
// which filters, indexes and data share. Nine of ten find their key.
Plan BudgetPlan();

// "kinds": the false positives in one tree with each kind of filter: with the
// same bits in all levels, by level, and for hits.
Plan KindsPlan();

// "kinds by memory": of absent keys, with 6 to 14 bits per key, for README's
// picture.
Plan MemoryPlan();

// "levels": the false positives of bits by level in growing trees, of those of
// the same memory evenly spread.
Plan LevelPlan();

// "large": 25 GB, read past the page cache and through it. Each other filter is
// measured in turn with RocksDB's Bloom. The directory `keep` keeps the
// database, the copy with the filter in turn and what was measured, so that the
// plan goes on where it was stopped.
Plan LargePlan();

// 4000000: "4 million records"; 300000: "300,000 records".
std::string RecordsText(size_t records);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_PLANS_H_
