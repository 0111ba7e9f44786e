// The alignment of filters in memory, in real databases with the cache-line
// allocator.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // Cache, since RocksDB 8
#endif
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "oneline/cache_line_allocator.h"
#include "table/hash/key_hash.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;
using rocksdb::MemoryAllocator;
using rocksdb::Slice;
using AllocatorPtr = std::shared_ptr<MemoryAllocator>;

constexpr int kLast = 20000;  // number of keys, of which half are absent

// Our policy, which records the alignment of each block that it gets to read.
class RecordingPolicy final : public OuterPolicy {
 public:
  RecordingPolicy() : OuterPolicy(OurPolicy(10)) {}
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& block) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    misalignments_.push_back(reinterpret_cast<uintptr_t>(block.data()) %
                             kLineBytes);
    return OuterPolicy::GetFilterBitsReader(block);
  }

  std::vector<size_t> misalignments() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return misalignments_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<size_t> misalignments_;
};

// Puts blocks at 16 mod 64, where they may be without an allocator.
class ShiftedAllocator final : public MemoryAllocator {
 public:
  const char* Name() const override { return "Shifted"; }
  void* Allocate(size_t size) override {
    return static_cast<char*>(aligned_->Allocate(size + 16)) + 16;
  }
  void Deallocate(void* block) override {
    aligned_->Deallocate(static_cast<char*>(block) - 16);
  }

 private:
  const AllocatorPtr aligned_ = NewCacheLineAlignedAllocator();
};

// How RocksDB holds filters.
struct Held {
  TableLayout layout;
  bool hyper_clock = false;   // in HyperClockCache instead of LRUCache
  bool prepopulated = false;  // a flush puts them into the cache
  // Below 8192 RocksDB reads them through a buffer on the stack.
  uint64_t partition_bytes = 8192;
};

std::ostream& operator<<(std::ostream& out, const Held& held) {
  return out << held.layout;
}

constexpr TableLayout kCached = MakeLayout("Cached", {&TableLayout::cached});
constexpr TableLayout kPartitioned = MakeLayout(
    "PartitionedCached", {&TableLayout::partitioned, &TableLayout::cached});

class FilterAlignmentTest : public testing::TestWithParam<Held> {
 protected:
  // The misalignment of every filter block of a database.
  static std::vector<size_t> Filters(const AllocatorPtr& allocator) {
    const auto policy = std::make_shared<RecordingPolicy>();
    rocksdb::Options options = OptionsFor(GetParam().layout, policy);
    auto& table = *options.table_factory->GetOptions<BlockBasedTableOptions>();
    constexpr size_t kCapacity = 64 << 20;
    if (GetParam().hyper_clock) {
      rocksdb::HyperClockCacheOptions cache(kCapacity, 4096);
      cache.memory_allocator = allocator;
      table.block_cache = cache.MakeSharedCache();
    } else {
      table.block_cache =
          rocksdb::NewLRUCache(kCapacity, -1, false, 0.5, allocator);
    }
    table.metadata_block_size = GetParam().partition_bytes;
    if (GetParam().prepopulated) {
      table.prepopulate_block_cache =
          BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
    }
    ScratchDatabase database(options, kLast);
    if (!GetParam().prepopulated) database.Reopen(options);
    ExpectFiltered(database, 0, kLast);
    return policy->misalignments();
  }
};

INSTANTIATE_TEST_SUITE_P(
    All, FilterAlignmentTest,
    testing::Values(Held{MakeLayout("Full", {})}, Held{kCached},
                    Held{kCached, /*hyper_clock=*/true},
                    Held{kCached, false, /*prepopulated=*/true},
                    Held{kPartitioned}, Held{kPartitioned, false, true},
                    Held{kPartitioned, false, false, 512}));

TEST_P(FilterAlignmentTest, FiltersLieWhereTheAllocatorPutsThem) {
  const std::pair<AllocatorPtr, size_t> kCases[] = {
      {NewCacheLineAlignedAllocator(), 0},
      {std::make_shared<ShiftedAllocator>(), 16}};
  for (const auto& [allocator, expected] : kCases) {
    const std::vector<size_t> filters = Filters(allocator);
    EXPECT_EQ(std::set<size_t>(filters.begin(), filters.end()),
              std::set<size_t>{expected});
  }
}

}  // namespace
}  // namespace oneline
