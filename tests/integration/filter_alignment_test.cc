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
#include <string>
#include <utility>
#include <vector>

#include "oneline/cache_line_allocator.h"
#include "table/hash/key_hash.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;
using rocksdb::MemoryAllocator;
using rocksdb::Slice;
using AllocatorPtr = std::shared_ptr<MemoryAllocator>;

constexpr int kLast = 20000;  // number of keys, of which half are absent

size_t Misalignment(const void* p) {
  return reinterpret_cast<uintptr_t>(p) % kLineBytes;
}

// Our policy, which records the alignment of each block that it gets to read.
class RecordingPolicy final : public rocksdb::FilterPolicy {
 public:
  const char* Name() const override { return ours_->Name(); }
  const char* CompatibilityName() const override {
    return ours_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return ours_->GetBuilderWithContext(context);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& block) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    misalignments_.push_back(Misalignment(block.data()));
    return ours_->GetFilterBitsReader(block);
  }

  std::vector<size_t> misalignments() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return misalignments_;
  }

 private:
  const std::shared_ptr<const rocksdb::FilterPolicy> ours_ = OurPolicy(10);
  mutable std::mutex mutex_;
  mutable std::vector<size_t> misalignments_;
};

// The ways in which RocksDB holds filters that matter for their alignment.
struct Layout {
  const char* name;
  bool partitioned = false;
  bool cached = false;        // in the block cache, not held by the table
  bool hyper_clock = false;   // in HyperClockCache instead of LRUCache
  bool prepopulated = false;  // a flush puts them into the cache
  bool small_blocks =
      false;  // RocksDB reads them through a buffer on the stack
};

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.name;
}

std::shared_ptr<rocksdb::Cache> NewCache(const Layout& layout,
                                         const AllocatorPtr& allocator) {
  constexpr size_t kCapacity = 64 << 20;
  if (layout.hyper_clock) {
    rocksdb::HyperClockCacheOptions options(kCapacity, 4096);
    options.memory_allocator = allocator;
    return options.MakeSharedCache();
  }
  rocksdb::LRUCacheOptions options;
  options.capacity = kCapacity;
  options.memory_allocator = allocator;
  return rocksdb::NewLRUCache(options);
}

BlockBasedTableOptions TableFor(const Layout& layout,
                                const std::shared_ptr<rocksdb::Cache>& cache) {
  BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 1024;
  if (layout.partitioned) {
    table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = layout.small_blocks ? 512 : 8192;
  }
  table.cache_index_and_filter_blocks = layout.cached;
  if (layout.prepopulated) {
    table.prepopulate_block_cache =
        BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
  }
  return table;
}

// The misalignment of every filter block of a database.
std::vector<size_t> FiltersOf(const Layout& layout,
                              const AllocatorPtr& allocator) {
  const auto policy = std::make_shared<RecordingPolicy>();
  const auto cache = NewCache(layout, allocator);
  const auto options = OptionsWith(policy, TableFor(layout, cache));
  ScratchDatabase database(options, kLast);
  if (!layout.prepopulated) database.Reopen(options);
  ExpectFiltered(database, 0, kLast);
  return policy->misalignments();
}

class FilterAlignmentTest : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(
    Layouts, FilterAlignmentTest,
    testing::Values(Layout{"Full"}, Layout{"FullCached", false, true},
                    Layout{"FullHyperClock", false, true, true},
                    Layout{"FullPrepopulated", false, true, false, true},
                    Layout{"Partitioned", true},
                    Layout{"PartitionedCached", true, true},
                    Layout{"PartitionedPrepopulated", true, true, false, true},
                    Layout{"PartitionedSmall", true, true, false, false, true}),
    [](const auto& test) { return std::string(test.param.name); });

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

TEST_P(FilterAlignmentTest, FiltersLieWhereTheAllocatorPutsThem) {
  const std::pair<AllocatorPtr, size_t> kCases[] = {
      {NewCacheLineAlignedAllocator(), 0},
      {std::make_shared<ShiftedAllocator>(), 16}};
  for (const auto& [allocator, expected] : kCases) {
    const std::vector<size_t> filters = FiltersOf(GetParam(), allocator);
    ASSERT_FALSE(filters.empty());
    for (const size_t misalignment : filters) {
      EXPECT_EQ(misalignment, expected);
    }
  }
}

}  // namespace
}  // namespace oneline
