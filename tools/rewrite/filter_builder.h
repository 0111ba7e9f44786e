// Builds the filter of a table from the table's keys, as RocksDB does when it
// writes one: with the policy's own builder, in the context of the table.

#ifndef ONELINE_TOOLS_REWRITE_FILTER_BUILDER_H_
#define ONELINE_TOOLS_REWRITE_FILTER_BUILDER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tools/sst/key_list.h"
#include "tools/sst/sst_reader.h"

namespace oneline {

// The filters asked for in one column family. Thread-safe.
class FilterRequest {
 public:
  // A null policy asks for no filters.
  FilterRequest(std::string column_family,
                std::shared_ptr<const rocksdb::FilterPolicy> policy,
                const rocksdb::ColumnFamilyOptions& options,
                const rocksdb::BlockBasedTableOptions& table_options);

  const rocksdb::FilterPolicy* policy() const { return policy_.get(); }
  const rocksdb::BlockBasedTableOptions& table_options() const {
    return table_options_;
  }

  // As RocksDB asks for one when a compaction writes to that level, or a flush
  // to level 0; `is_last`: no deeper level has tables. Null for no filter.
  std::unique_ptr<rocksdb::FilterBitsBuilder> NewBuilder(uint32_t level,
                                                         bool is_last) const;

 private:
  const std::string column_family_;
  const std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  const rocksdb::ColumnFamilyOptions options_;
  const rocksdb::BlockBasedTableOptions table_options_;
};

struct BuiltFilter {
  std::vector<std::string> blocks;  // none, one, or one for each partition
  // Of partitions: the last key of each, with its timestamp.
  std::vector<std::string> last_keys;
  uint64_t entries = 0;  // keys and prefixes, as the builder counts them
};

// Is told of entries that were read of all, and returns an error to stop.
using Checkpoint = std::function<absl::Status(uint64_t read, uint64_t all)>;

// `partition_bytes` is 0 for a filter without partitions. Appends every key to
// `keys`. Errors: those of reading the table and of `checkpoint`; Internal if
// the builder fails.
absl::StatusOr<BuiltFilter> BuildFilter(SstReader& table,
                                        rocksdb::FilterBitsBuilder& builder,
                                        uint64_t partition_bytes,
                                        const Checkpoint& checkpoint,
                                        KeyList* keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_FILTER_BUILDER_H_
