// A database of random keys under RocksDB's own level compaction, and a copy of
// it that differs in nothing but the filters: for comparing allocations of bits
// over levels table by table.

#ifndef ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_
#define ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "oneline/filter_options.h"
#include "tools/text/progress.h"

namespace oneline {

// The keys put are the first of an endless row of random keys without
// repetition; those that follow are absent.
std::string RandomKey(uint64_t index);

// The tables of a level. In level 0 each is a sorted run.
struct LevelTables {
  int tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // False positives for each lookup of an absent key, by the model: from the
  // size of each filter, and the share of keys that fall into its table.
  double expected = 0;

  double bits_per_key() const {
    return 8 * static_cast<double>(filter_bytes) / static_cast<double>(keys);
  }
};

// By level.
using LevelFalsePositives = std::map<int, uint64_t>;

class LevelDatabase {
 public:
  // In a directory that is made, or, of a copy, was made.
  LevelDatabase(std::string directory, const FilterOptions& filter,
                double size_ratio);

  // Puts that many keys but for the last ones, in random order, and lets
  // compactions come to rest. Those last ones become level 0: four runs of it,
  // the most before they are compacted. `progress` advances by `keys`.
  absl::Status Load(uint64_t keys, Progress* progress);

  // A copy with a policy of these options, by which every table was rewritten
  // where it is. `progress` advances by the number of its keys.
  absl::Status CopyTo(LevelDatabase* copy, Progress* progress);

  // Looks up `count` keys that are absent, after `keys` that were put. An error
  // if one is found, or RocksDB's counters contradict each other. `progress`
  // advances by `count`.
  absl::StatusOr<LevelFalsePositives> LookUpAbsent(uint64_t keys,
                                                   uint64_t count,
                                                   Progress* progress);

  absl::StatusOr<std::map<int, LevelTables>> Levels() const;

  // Level, entries, first and last key of each table.
  using Shape =
      std::vector<std::tuple<int, uint64_t, std::string, std::string>>;
  Shape GetShape() const;

 private:
  absl::Status Open(bool compacting);
  absl::Status Put(uint64_t first, uint64_t last, Progress* progress);
  absl::Status Rest();
  absl::Status WriteLevel0(uint64_t first, uint64_t last, Progress* progress);
  absl::Status Rewrite(Progress* progress);
  absl::Status CompactLevel0();

  const std::string directory_;
  const FilterOptions filter_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_
