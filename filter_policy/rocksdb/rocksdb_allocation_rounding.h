// Sizes of filters for optimize_filters_for_memory: a filter that is read lies
// in an allocation, and allocators give more than is requested. jemalloc,
// with four sizes from one power of two to the next, wastes a tenth of it. So
// filters get the lines that fill an allocation: that of the next size above
// what was requested, or below, in turns, so that the average stays.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_ALLOCATION_ROUNDING_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_ALLOCATION_ROUNDING_H_

#include <rocksdb/memory_allocator.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace oneline {

// The bytes that an allocation of `bytes` really has, as RocksDB allocates
// blocks: from the allocator of the block cache, or from operator new if that
// is null. `bytes` if it is not known.
size_t UsableBytes(size_t bytes, rocksdb::MemoryAllocator* allocator);

// Thread-safe: the tables that a policy writes share one.
class AllocationRounding {
 public:
  // The lines, 3/4 to 4/3 of `lines`, that fill an allocation. Over the filters
  // of a level that are of similar size, the sum of what was given stays as
  // near to the sum of `lines` as one filter's rounding. (One balance for all
  // would take bits from small filters for what a large one had too many, or
  // from one level for another one, against the allocation of bits by level.)
  uint32_t Round(uint32_t lines, uint8_t level,
                 rocksdb::MemoryAllocator* allocator);

  // The most that Round makes of a block of `bytes`.
  static size_t MaxBytes(size_t bytes) { return bytes + bytes / 3; }

  // The most lines up to `max_lines` that fill an allocation; `max_lines` if
  // these are less than 3/4 of it. For filters that can have any size, as
  // partitions can.
  static uint32_t RoundDown(uint32_t max_lines,
                            rocksdb::MemoryAllocator* allocator);

 private:
  static constexpr size_t kLevels = 8;  // the last is for all deeper ones
  static constexpr size_t kSizes = 32;  // powers of two
  // Lines given minus lines requested.
  std::atomic<int64_t> balances_[kLevels][kSizes] = {};
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_ALLOCATION_ROUNDING_H_
