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

  // The tables of a column family by its FamilyTag. Files from outside, which
  // do not say what they were written for, count as its deepest level.
  TreeTables Of(uint8_t family) const;

 private:
  class Token;

  mutable std::mutex mutex_;
  std::map<uint8_t, TreeTables> trees_;  // by FamilyTag
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LIVE_TABLES_H_
