// The tables of open databases, as a policy sees them come and go. RocksDB
// passes it the filter of each table that is opened, and destroys the filter's
// reader when the table is closed or deleted. The filter says for which column
// family and level it was written.
//
// While RocksDB keeps all tables open, and their filters are not in a cache
// (max_open_files=-1, cache_index_and_filter_blocks=false), these are the
// tables of the trees, from the moment the databases are open.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LIVE_TABLES_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LIVE_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "filter_policy/allocation/growing_tree.h"
#include "table/block/filter_block.h"

namespace oneline {

// Thread-safe. Made by std::make_shared.
class LiveTables : public std::enable_shared_from_this<LiveTables> {
 public:
  // Counts a table until the token is destroyed, which may be after everything
  // else.
  std::shared_ptr<const void> Add(const Trailer& trailer, size_t block_bytes);

  // Says that all tables in this level and those above are being merged into
  // it, and that the result gets so many bits per key. Universal compaction
  // merges large parts of a tree at a time. The tables count as the result
  // then, until one of them is closed: RocksDB closes them together. Tables
  // that come later are not among them. Does nothing if such a merge is known
  // already. REQUIRES: level > 0.
  void MergeInto(uint8_t family, int level, double bits_per_key);

  // The tables of a column family by its FamilyTag. Files from outside, which
  // do not say what they were written for, count as its deepest level.
  TreeTables Of(uint8_t family) const;

  // The keys of a table of level 0 of a column family, on average over the last
  // ones; 0 if none was seen.
  double Level0Keys(uint8_t family) const;

 private:
  class Token;
  struct Merge {
    TreeTables tables;
    double bits_per_key = 0;  // of the result
    uint64_t end = 0;         // the first table that is not among them
  };
  static void Finish(const Merge& merge, int level, TreeTables* tree);

  // `mutex_` is held. With the files from outside, as level kUnknownLevel.
  TreeTables AfterMerges(uint8_t family) const;

  mutable std::mutex mutex_;
  uint64_t next_table_ = 0;
  std::map<uint8_t, TreeTables> trees_;             // by FamilyTag
  std::map<uint8_t, std::map<int, Merge>> merges_;  // by FamilyTag and level
  std::map<uint8_t, double> level0_keys_;           // by FamilyTag
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LIVE_TABLES_H_
