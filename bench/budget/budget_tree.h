// A database whose tree of tables is always the same, and copies of it that
// differ in their filters alone. What lookups read into a block cache that
// holds filters, indexes and data.

#ifndef ONELINE_BENCH_BUDGET_BUDGET_TREE_H_
#define ONELINE_BENCH_BUDGET_BUDGET_TREE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/budget/drawn_keys.h"

namespace oneline {

struct FilterChoice {
  std::string policy;  // as in an OPTIONS file
  bool is_partitioned = false;
  bool optimize_filters_for_hits = false;
};

// For a lookup, if nothing else is said.
struct LookupCost {
  // Read into the cache, of all kinds and of each.
  double blocks = 0, data_blocks = 0, index_blocks = 0, filter_blocks = 0;
  double bytes = 0;
  double wasted_reads = 0;  // by false positives
  // Of the clock: microseconds of lookups whose key is there, or is not.
  double per_second = 0;
  double present_p50 = 0, present_p99 = 0, absent_p50 = 0, absent_p99 = 0;
};

// Errors end the program.
class BudgetTree {
 public:
  // Records of 16 + 100 bytes. At `path` there is nothing, or a copy.
  BudgetTree(std::string path, uint64_t keys, FilterChoice choice);

  // Writes all records: 89 % into the last level, 9 % and 1.4 % into the two
  // above it, and three flushes of 0.2 % into level 0.
  void Write();

  // A copy of all tables, at a path where nothing is.
  void CopyTo(const std::string& path);

  // Gives each table the filter of the choice, from one of another policy.
  void Refilter();

  // Each table's level, keys and bytes of data.
  std::vector<std::tuple<int, uint64_t, uint64_t>> Shape();

  uint64_t DataBytes();
  double BitsPerKey();

  // Opens it with a cache of so many bytes, looks up `count` keys to fill it,
  // and then as many that are counted.
  LookupCost LookUp(size_t cache_bytes, bool direct_reads, DrawnKeys keys,
                    uint64_t count);

 private:
  void Open(size_t cache_bytes, bool direct_reads);
  void WriteLevel(uint64_t first, uint64_t last, int level);
  LookupCost Counts() const;
  // Returns the microseconds that it took.
  float LookUpOne(const DrawnKeys::Drawn& drawn) const;

  const std::string path_;
  const uint64_t keys_;
  const FilterChoice choice_;
  std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_BUDGET_BUDGET_TREE_H_
