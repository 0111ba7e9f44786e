#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>

#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "table/block/filter_block.h"
#include "table/block/line_count.h"

namespace oneline {
namespace {

// RocksDB reads a block together with the five bytes that follow it in a file:
// its compression and its checksum.
constexpr size_t kBlockTrailerBytes = 5;

size_t BytesOf(uint32_t lines) {
  return BlockBytesOf(lines) + kBlockTrailerBytes;
}

uint32_t LinesIn(size_t bytes) {
  return LinesWithin(bytes - kBlockTrailerBytes);
}

// What malloc gives, which operator new calls. (Its blocks, unlike those of
// operator new, can always be asked for their size.)
size_t MallocUsableBytes(size_t bytes) {
  void* const block = std::malloc(bytes);
  if (block == nullptr) return bytes;
  const size_t usable = malloc_usable_size(block);
  std::free(block);
  return std::max(usable, bytes);
}

// The lines that fill the next smaller allocation than that of `lines`; 0 if
// they are less than 3/4 of it.
uint32_t LinesOfSmallerAllocation(uint32_t lines, size_t usable,
                                  rocksdb::MemoryAllocator* allocator) {
  uint32_t smaller = lines - lines / 4;
  if (UsableBytes(BytesOf(smaller), allocator) >= usable) return 0;
  for (uint32_t larger = lines; larger - smaller > 1;) {
    const uint32_t middle = smaller + (larger - smaller) / 2;
    const bool is_smaller = UsableBytes(BytesOf(middle), allocator) < usable;
    (is_smaller ? smaller : larger) = middle;
  }
  return smaller;
}

size_t PowerOfTwo(uint32_t lines) {
  size_t power = 0;
  while (lines >>= 1) ++power;
  return power;
}

}  // namespace

size_t UsableBytes(size_t bytes, rocksdb::MemoryAllocator* allocator) {
  if (allocator == nullptr) return MallocUsableBytes(bytes);
  if (std::string_view(allocator->Name()) == kCacheLineAllocatorName) {
    // The usable size of one block would depend on where in the allocation it
    // begins, and the next block may begin elsewhere.
    return MallocUsableBytes(bytes + kLineBytes) - kLineBytes;
  }
  try {
    void* const block = allocator->Allocate(bytes);
    if (block == nullptr) return bytes;
    const size_t usable = allocator->UsableSize(block, bytes);
    allocator->Deallocate(block);
    return std::max(usable, bytes);
  } catch (const std::bad_alloc&) {
    return bytes;
  }
}

uint32_t AllocationRounding::Round(uint32_t lines, uint8_t level,
                                   rocksdb::MemoryAllocator* allocator) {
  if (lines == 0) return 0;
  const size_t usable = UsableBytes(BytesOf(lines), allocator);
  uint32_t up = LinesIn(usable);
  // Much more is no size class. (UsableSize of someone's allocator is wrong.)
  if (up - lines > lines / 3) up = lines;
  const uint32_t down = LinesOfSmallerAllocation(lines, usable, allocator);
  const int64_t gain = up - lines;
  const int64_t loss = down == 0 ? 0 : lines - down;

  std::atomic<int64_t>& balance =
      balances_[std::min<size_t>(level, kLevels - 1)][PowerOfTwo(lines)];
  // The nearer one, until the balance, which stays between -gain and loss,
  // speaks against it. Two threads may both take the same side: that is
  // corrected later.
  const bool round_up = balance.load(std::memory_order_relaxed) + gain <= loss;
  balance.fetch_add(round_up ? gain : -loss, std::memory_order_relaxed);
  return round_up ? up : lines - static_cast<uint32_t>(loss);
}

uint32_t AllocationRounding::RoundDown(uint32_t max_lines,
                                       rocksdb::MemoryAllocator* allocator) {
  if (max_lines == 0) return 0;
  const size_t usable = UsableBytes(BytesOf(max_lines), allocator);
  if (LinesIn(usable) == max_lines) return max_lines;
  const uint32_t down = LinesOfSmallerAllocation(max_lines, usable, allocator);
  return down == 0 ? max_lines : down;
}

}  // namespace oneline
