// The alignment of filters in memory, in real databases with the cache-line
// allocator.

#include <mutex>

#include "oneline/cache_line_allocator.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;

constexpr int kLast = 20000;  // number of keys, of which half are absent

// Our policy, which records the alignment of each block that it gets to read.
class RecordingPolicy final : public OuterPolicy {
 public:
  RecordingPolicy() : OuterPolicy(OurPolicy(10)) {}
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    misalignments_.insert(reinterpret_cast<uintptr_t>(block.data()) %
                          kLineBytes);
    return OuterPolicy::GetFilterBitsReader(block);
  }
  std::set<size_t> misalignments() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return misalignments_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::set<size_t> misalignments_;
};

// How RocksDB holds filters.
struct Held {
  TableLayout layout;
  bool hyper_clock = false;   // in HyperClockCache instead of LRUCache
  bool prepopulated = false;  // a flush puts them into the cache
  // Below 8192 RocksDB reads them through a buffer on the stack.
  uint64_t partition_bytes = 8192;
};

constexpr TableLayout kCached = "Cached", kPartitioned = "PartitionedCached";

TEST(FilterAlignmentTest, FiltersBeginOnALine) {
  const auto allocator = NewCacheLineAlignedAllocator();
  for (const Held& held : {Held{"Full"}, Held{kCached, /*hyper_clock=*/true},
                           Held{kCached, false, /*prepopulated=*/true},
                           Held{kPartitioned}, Held{kPartitioned, false, true},
                           Held{kPartitioned, false, false, 512}}) {
    SCOPED_TRACE(testing::Message() << held.layout << held.partition_bytes);
    const auto policy = std::make_shared<RecordingPolicy>();
    rocksdb::Options options = OptionsFor(held.layout, policy);
    auto& table = *options.table_factory->GetOptions<BlockBasedTableOptions>();
    constexpr size_t kCapacity = 64 << 20;
    if (held.hyper_clock) {
      rocksdb::HyperClockCacheOptions cache(kCapacity, 4096);
      cache.memory_allocator = allocator;
      table.block_cache = cache.MakeSharedCache();
    } else {
      table.block_cache =
          rocksdb::NewLRUCache(kCapacity, -1, false, 0.5, allocator);
    }
    table.metadata_block_size = held.partition_bytes;
    if (held.prepopulated) {
      table.prepopulate_block_cache =
          BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
    }
    ScratchDatabase database(options, kLast);
    if (!held.prepopulated) database.Reopen(options);
    ExpectFiltered(database, 0, kLast);
    EXPECT_EQ(policy->misalignments(), std::set<size_t>{0});
  }
}

}  // namespace
}  // namespace oneline
