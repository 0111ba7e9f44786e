// A database of random keys under RocksDB's own compaction, and a copy of it
// that differs only in the filters, to compare allocations of bits over levels
// table by table.

#ifndef ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_
#define ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstddef>
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

// Key `index` of an endless sequence of different random keys. The first ones
// are in the database, those after them are absent.
std::string RandomKey(uint64_t index);

// The tables of a level and their filters. In level 0 each table is a sorted
// run.
struct LevelFilters {
  int tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // The share of all keys in the ranges of the tables, added up.
  double coverage = 0;
  // False positives per lookup of an absent key, by the model: from the size of
  // each filter, and the share of all keys in the range of its table.
  double expected = 0;

  double bits_per_key() const {
    return 8 * static_cast<double>(filter_bytes) / static_cast<double>(keys);
  }
};

// By level.
using LevelFalsePositives = std::map<int, uint64_t>;

// Wasted reads of lookups of absent keys.
struct WastedReads {
  uint64_t count = 0;
  uint64_t from_files = 0;  // the others found the block in the block cache
};

struct AbsentReads {
  std::map<int, WastedReads> wasted;  // by level
  // The time of each lookup, in microseconds: of those that read no block, only
  // blocks from the cache, and one or more blocks from a file.
  std::vector<double> of_none, of_cached, of_read;
};

// How RocksDB compacts a column family.
struct CompactedTree {
  double size_ratio = 10;
  rocksdb::CompactionStyle style = rocksdb::kCompactionStyleLevel;
  bool dynamic_level_bytes = true;
  int level0_runs = 4;  // so many start a compaction; RocksDB's default
  int share = 1;  // of the keys: divided by the sum of all families' shares
};

class LevelDatabase {
 public:
  // Opens nothing yet: Load, Grow or CopyTo creates the directory. The column
  // families, one or more, share one policy object. `policy`: a policy of
  // RocksDB's as text, instead of ours with the options `filter`.
  LevelDatabase(std::string directory, const FilterOptions& filter,
                std::vector<CompactedTree> families, std::string policy = "");

  // Puts `keys` keys in random order. After all but the last 40,000 it waits
  // for compactions to finish; the last ones become four runs in level 0, the
  // most before they would be compacted. `progress` advances by `keys`.
  absl::Status Load(uint64_t keys, Progress* progress);

  // Opens the database anew, as after a restart, and puts the keys from `first`
  // to `last`, besides overwriting a tenth as many and deleting a twentieth as
  // many of those before `first`. Waits for compactions, but leaves in the log
  // what was not flushed. `progress` advances by the number of new keys. Each
  // column family gets its share of them; all other functions that write know
  // only the first family.
  absl::Status Grow(uint64_t first, uint64_t last, Progress* progress);

  // Makes `copy` a copy of this database, with every table rewritten in its
  // place with copy's filter policy. `progress` advances by the number of keys.
  absl::Status CopyTo(LevelDatabase* copy, Progress* progress);

  // Rewrites every table in its place. REQUIRES: it was loaded or copied last.
  absl::Status Rewrite(Progress* progress);

  // Looks up `count` absent keys in a column family; `keys` is the number of
  // keys in the database. An error if one is found, or if RocksDB's counters
  // contradict each other. `progress` advances by `count`.
  absl::StatusOr<LevelFalsePositives> LookUpAbsent(uint64_t keys,
                                                   uint64_t count,
                                                   Progress* progress,
                                                   size_t family = 0);

  // Finds the hot keys: those of the newest `newest` of `keys` that are above
  // the last level. Then opens the database with a block cache of this size,
  // past the page cache (O_DIRECT), and looks them up.
  absl::Status OpenForReads(uint64_t keys, uint64_t newest, size_t cache_bytes);

  // Looks up `count` absent keys, from the `first` one on, and as many hot keys
  // in between, which keep their blocks in the cache. REQUIRES: OpenForReads
  // was called last.
  absl::StatusOr<AbsentReads> ReadAbsentAndHot(uint64_t keys, uint64_t first,
                                               uint64_t count);
  size_t num_hot_keys() const { return hot_.size(); }

  absl::StatusOr<std::map<int, LevelFilters>> Levels(size_t family = 0) const;

  // The bytes of the tables of a level, by level.
  std::map<int, uint64_t> TableBytes() const;

  // The level, entries, first and last key of each table.
  using Shape =
      std::vector<std::tuple<int, uint64_t, std::string, std::string>>;
  Shape GetShape() const;

 private:
  absl::Status Open(bool compacting);
  std::vector<rocksdb::ColumnFamilyDescriptor> Descriptors() const;
  rocksdb::ColumnFamilyHandle* FamilyOf(const std::string& key) const;
  absl::Status Put(uint64_t first, uint64_t last, Progress* progress);
  absl::Status Flush();
  absl::Status Rest();
  absl::Status WriteLevel0(uint64_t first, uint64_t last, Progress* progress);
  absl::Status CompactLevel0();

  const std::string directory_;
  const FilterOptions filter_;
  const std::vector<CompactedTree> families_;
  const std::string policy_;
  rocksdb::Options options_;  // but for what the families' trees say
  size_t cache_bytes_ = 0;    // 0: RocksDB's default
  std::vector<uint64_t> hot_;
  std::unique_ptr<rocksdb::DB> db_;
  // Destroyed before db_.
  std::vector<std::unique_ptr<rocksdb::ColumnFamilyHandle>> handles_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_LEVELS_LEVEL_DATABASE_H_
