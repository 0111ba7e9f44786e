// RocksDB's builder of filter blocks of ours.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_BUILDER_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_BUILDER_H_

#include <rocksdb/cache.h>
#include <rocksdb/env.h>

#include <cstdint>
#include <memory>
#include <string>

#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "table/block/line_count.h"

namespace oneline {

// What the filters of one table are to be.
struct BitsBuilderOptions {
  const KindTraits* kind = nullptr;  // not null
  double bits_per_key = 0;           // 1 to 100
  uint64_t seed = 0;
  uint8_t level = kUnknownLevel;  // of the table, as in the trailer
  // Keep the keys after Finish, so that MaybePostVerify can look them up.
  bool verify = false;
  // The most lines of one filter, and the option that they follow from.
  uint32_t max_lines = kMaxLines;
  uint64_t max_filter_bytes = uint64_t{1} << 32;
  // Of the policy, to fill allocations; null for the bits that are requested.
  std::shared_ptr<AllocationRounding> rounding;
  // Where filters will lie when they are read. May be null.
  std::shared_ptr<rocksdb::Cache> block_cache;
  // What the builder's memory is charged to; null for nothing.
  std::shared_ptr<rocksdb::Cache> charged_cache;
  // For messages. The LOG may be null.
  rocksdb::Logger* log = nullptr;
  std::string column_family;
};

std::unique_ptr<rocksdb::FilterBitsBuilder> NewBitsBuilder(
    const BitsBuilderOptions& options);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_BUILDER_H_
