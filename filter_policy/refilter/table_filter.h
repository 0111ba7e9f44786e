// The filter of one table: its kind and its size, read from the table through
// RocksDB.

#ifndef ONELINE_FILTER_POLICY_REFILTER_TABLE_FILTER_H_
#define ONELINE_FILTER_POLICY_REFILTER_TABLE_FILTER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter_policy/refilter/decoded_filter.h"

namespace oneline {

struct TableFilter {
  // Entries except range deletions. A key may have several.
  uint64_t keys = 0;
  uint64_t merge_operands = 0;

  uint64_t filter_bytes = 0;      // all partitions and their index
  uint64_t blocks = 0;            // of the filter: 1, or its partitions
  uint64_t block_bytes = 0;       // without the partitions' index
  uint64_t most_block_bytes = 0;  // of its largest block
  uint64_t index_bytes = 0;       // of the table
  uint64_t index_blocks = 0;      // 1, or its partitions

  // Keys and prefixes in the filter; 0 if the table does not record them.
  uint64_t filter_keys = 0;

  std::string policy_name;  // of the program that wrote it; empty for none
  bool is_flushed = false;  // not compacted, as far as the table tells
  FoundKind kind = FoundKind::kNone;  // of most bytes, if partitions differ

  // Of our filters only: bits per key that the options gave the table when it
  // was written, 0 if unknown; and the level then, -1 if unknown.
  double asked_bits_per_key = 0;
  int written_level = -1;

  bool has_filter() const {
    return kind != FoundKind::kNone && kind != FoundKind::kNoKeys;
  }
  // Keys in the filter, or that would be in one.
  uint64_t keys_to_filter() const {
    return filter_keys > 0 ? filter_keys : keys;
  }
  // Perhaps into a single partition.
  bool is_partitioned() const { return block_bytes < filter_bytes; }
};

// The names of the policies of oneline/level_filters.h begin so.
inline constexpr char kHeaderNames[] = "oneline.Level";

// Whether it is the name, as tables and LOGs have it, of our policy or of one
// of oneline/level_filters.h. OPTIONS files can name RocksDB's policy for them,
// with the same bits in all levels.
bool IsOurPolicy(const std::string& name);

// One block of a filter.
struct DecodedBlock {
  uint64_t bytes = 0;
  std::optional<FilterFacts> facts;  // none if it is damaged
  std::string error;                 // then why
};

// What the blocks of a filter are together: one block, or partitions.
class FilterBlocks {
 public:
  void Add(std::string_view block);
  const std::vector<DecodedBlock>& list() const { return list_; }

  // Of a table with these properties: whether they are partitions, perhaps a
  // single one, and whether they are all of its filter.
  bool ArePartitions(const rocksdb::TableProperties& properties) const;
  bool AreComplete(const rocksdb::TableProperties& properties) const;

  uint64_t bytes() const { return bytes_; }

  // Sets what only the blocks tell. Leaves it as it is if there are none.
  void Describe(TableFilter* filter) const;

 private:
  std::vector<DecodedBlock> list_;
  uint64_t bytes_ = 0;
};

TableFilter FilterInProperties(const rocksdb::TableProperties& properties);

// A policy that shows each filter block that RocksDB reads to `see`, of our
// filters and RocksDB's, and makes no use of it.
std::shared_ptr<const rocksdb::FilterPolicy> NewRecordingPolicy(
    std::function<void(std::string_view block)> see);

// Options for reading one table of a column family beside the database. With a
// null policy filters are not read.
rocksdb::Options OptionsToReadTable(
    const rocksdb::Options& options,
    const std::shared_ptr<const rocksdb::FilterPolicy>& policy);

// `options`: of the database and the column family. A filter that RocksDB can't
// read whole, because it is damaged or of another policy, is kForeign.
// Errors: those of RocksDB; NotSupported if the table has no properties.
rocksdb::Status ReadTableFilter(const rocksdb::Options& options,
                                const std::string& path, TableFilter* filter);

// Reads every block of the table and compares the checksums.
rocksdb::Status CheckTable(const rocksdb::Options& options,
                           const std::string& path);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_TABLE_FILTER_H_
