// Plans of load: trees of tables whose shape depends only on the data, not on
// timing or on the size of filters, so that databases with different filters
// can be compared table by table. A plan says in advance which records each
// flush writes, and into which level the flushes are compacted.

#ifndef ONELINE_BENCH_DATABASES_LOAD_PLAN_H_
#define ONELINE_BENCH_DATABASES_LOAD_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oneline {

// Flushes in a row, which are then compacted together into `level`, or stay
// where they are if it is 0.
struct Generation {
  int level;
  int num_flushes;
  double share_of_flush;  // of all records
};

struct FixedTree {
  std::vector<Generation> generations;  // from the oldest data to the newest
  uint64_t table_bytes;                 // size of compacted tables
};

// Each level has about a tenth of the records of the next one, and L0 has four
// tables, at which RocksDB starts to compact. The lookup of an absent key
// checks seven tables.
FixedTree TenfoldTree();

// The tree that db_bench makes of 8 million records of 116 bytes with the
// default options: tables of one write buffer each in L0, a full L1 of 256 MB,
// and the rest in L2. The lookup of an absent key checks six tables.
FixedTree StockTree();

// Some 80 tables, however many records of 116 bytes there are: 89 % of them in
// the last level, 9 % and 1.4 % in the two above, and three flushes in L0.
FixedTree BottomHeavyTree(size_t num_records);

// The order in which the records of a flush are written.
enum class Arrival {
  kSorted,  // by key, without a log: the fastest way
  kRandom,  // random, with a log, as most applications write
};

// Which records belong to which flush.
struct LoadPlan {
  FixedTree tree;
  Arrival arrival = Arrival::kSorted;
  std::vector<std::vector<uint32_t>> flushes;  // records, as they are written

  // The number of table entries that flushes and compactions write.
  uint64_t entries_written() const;
};

// Assigns each record to a random flush, whatever its key.
LoadPlan PlanLoad(const FixedTree& tree, size_t num_records, uint64_t seed,
                  Arrival arrival = Arrival::kSorted);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_LOAD_PLAN_H_
