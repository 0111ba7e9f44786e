// Tests of the allocator alone. filter_alignment_test.cc tests it in real
// databases.

#include "oneline/cache_line_allocator.h"

#include <rocksdb/convenience.h>

#include <new>

#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "tests/testing.h"

namespace oneline {
namespace {

using rocksdb::MemoryAllocator;
using AllocatorPtr = std::shared_ptr<MemoryAllocator>;

size_t Misalignment(const void* p) {
  return reinterpret_cast<uintptr_t>(p) % kLineBytes;
}

std::vector<size_t> BlockSizes() {
  std::vector<size_t> sizes;
  for (size_t size = 0; size <= 300; ++size) sizes.push_back(size);
  for (size_t bits = 9; bits <= 21; ++bits) {
    for (size_t add : {0, 5, 28}) sizes.push_back((size_t{1} << bits) + add);
    sizes.push_back((size_t{1} << bits) - 1);
  }
  return sizes;
}

TEST(CacheLineAllocatorTest, EveryBlockBeginsOnALineAndIsUsable) {
  const AllocatorPtr allocator = NewCacheLineAlignedAllocator();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<uintptr_t, uintptr_t>> blocks;
    for (const size_t size : BlockSizes()) {
      void* block = allocator->Allocate(size);
      ASSERT_NE(block, nullptr) << size;
      ASSERT_EQ(Misalignment(block), 0u) << size;
      const size_t usable = allocator->UsableSize(block, size);
      ASSERT_GE(usable, size);
      // A sanitizer, or the next call of malloc, notices a byte too many.
      std::memset(block, 0xa5, usable);
      const auto begin = reinterpret_cast<uintptr_t>(block);
      blocks.emplace_back(begin, begin + usable);
    }
    std::sort(blocks.begin(), blocks.end());
    for (size_t i = 1; i < blocks.size(); ++i) {
      // Empty blocks, too, have different addresses.
      ASSERT_LT(blocks[i - 1].first, blocks[i].first);
      ASSERT_LE(blocks[i - 1].second, blocks[i].first);
    }
    for (const auto& [begin, end] : blocks) {
      allocator->Deallocate(reinterpret_cast<void*>(begin));
    }
  }
}

TEST(CacheLineAllocatorTest, FailsAsOperatorNewDoes) {
  if (kSanitized) GTEST_SKIP() << "sanitizers end the program instead";
  const AllocatorPtr allocator = NewCacheLineAlignedAllocator();
  constexpr size_t kMax = std::numeric_limits<size_t>::max();
  for (const size_t size : {kMax, kMax - 1, kMax - 63, kMax - 64, kMax / 2}) {
    EXPECT_THROW(allocator->Allocate(size), std::bad_alloc) << size;
  }
}

TEST(CacheLineAllocatorTest, HasANameThatRocksDBKnows) {
  rocksdb::ConfigOptions config;
  config.ignore_unsupported_options = false;
  AllocatorPtr allocator;
  const rocksdb::Status status = MemoryAllocator::CreateFromString(
      config, kCacheLineAllocatorName, &allocator);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_STREQ(allocator->Name(), kCacheLineAllocatorName);
  EXPECT_EQ(allocator->GetId(), NewCacheLineAlignedAllocator()->GetId());
  void* block = allocator->Allocate(1000);
  EXPECT_EQ(Misalignment(block), 0u);
  // Allocators have no state: any of them can free another one's blocks.
  NewCacheLineAlignedAllocator()->Deallocate(block);
}

}  // namespace
}  // namespace oneline
