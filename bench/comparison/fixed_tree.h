// Trees of tables whose shape depends on the data alone, not on time or on the
// size of filters, so that databases that differ in nothing but the filter can
// be compared table by table: it is said in advance in which flush each record
// is written, and which flushes are compacted into which level.

#ifndef ONELINE_BENCH_COMPARISON_FIXED_TREE_H_
#define ONELINE_BENCH_COMPARISON_FIXED_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace oneline {

// Flushes that follow each other and, unless they stay in level 0, are then
// compacted together into their level. Shares are of all records.
struct Generation {
  int level;
  int num_flushes;
  double share_of_flush;
};

struct FixedTree {
  std::vector<Generation> generations;  // from the oldest data to the newest
  uint64_t table_bytes;                 // of tables that compaction writes
};

// Each level about a tenth of the one below, and four tables of L0, which is
// where RocksDB starts to compact. A lookup of an absent key meets seven
// tables.
FixedTree TenfoldTree();

// What db_bench leaves after filling 8 million records of 116 bytes with the
// default options: tables of L0 of a write buffer each, a full L1 of 256 MB,
// the rest in L2. A lookup of an absent key meets six tables.
FixedTree StockTree();

// How the records of a flush arrive.
enum class Arrival {
  kSorted,  // by key, and without a log where that can be: the quickest way
  kRandom,  // in no order and through the log, as most applications write
};

// Which records belong to which flush.
struct LoadPlan {
  FixedTree tree;
  Arrival arrival = Arrival::kSorted;
  std::vector<std::vector<uint32_t>> flushes;  // in the order of arrival

  // Table entries that loading writes: flushed, then compacted.
  uint64_t entries_written() const;
};

// Each record goes to a random flush, whatever its key.
LoadPlan PlanLoad(const FixedTree& tree, size_t num_records, uint64_t seed,
                  Arrival arrival = Arrival::kSorted);

// A table's level, entries, first and last key.
using TableShape = std::tuple<int, uint64_t, std::string, std::string>;

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_FIXED_TREE_H_
