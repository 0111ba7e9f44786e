// Tests of the allocator alone. filter_alignment_test.cc tests it in real
// databases.

#include "oneline/cache_line_allocator.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/sanitizers.h"

namespace oneline {
namespace {

using rocksdb::MemoryAllocator;
using AllocatorPtr = std::shared_ptr<MemoryAllocator>;

size_t Misalignment(const void* p) {
  return reinterpret_cast<uintptr_t>(p) % kBlockAlignment;
}

std::vector<size_t> BlockSizes() {
  std::vector<size_t> sizes;
  for (size_t size = 0; size <= 300; ++size) sizes.push_back(size);
  for (size_t bits = 9; bits <= 25; ++bits) {
    for (size_t add : {0, 5, 28}) sizes.push_back((size_t{1} << bits) + add);
    sizes.push_back((size_t{1} << bits) - 1);
  }
  return sizes;
}

TEST(CacheLineAllocatorTest, EveryBlockBeginsOnALineAndIsUsable) {
  const AllocatorPtr allocator = NewCacheLineAlignedAllocator();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<void*, size_t>> blocks;
    for (const size_t size : BlockSizes()) {
      void* block = allocator->Allocate(size);
      ASSERT_NE(block, nullptr) << size;
      ASSERT_EQ(Misalignment(block), 0u) << size;
      const size_t usable = allocator->UsableSize(block, size);
      ASSERT_GE(usable, size);
      // A sanitizer, or the next call of malloc, notices a byte too many.
      std::memset(block, 0xa5, usable);
      blocks.emplace_back(block, size);
    }
    for (const auto& [block, size] : blocks) allocator->Deallocate(block);
  }
}

TEST(CacheLineAllocatorTest, BlocksDoNotOverlap) {
  const AllocatorPtr allocator = NewCacheLineAlignedAllocator();
  std::vector<std::pair<uintptr_t, uintptr_t>> blocks;
  for (const size_t size : BlockSizes()) {
    void* block = allocator->Allocate(size);
    const auto begin = reinterpret_cast<uintptr_t>(block);
    blocks.emplace_back(begin, begin + allocator->UsableSize(block, size));
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

TEST(CacheLineAllocatorTest, NullIsNoBlock) {
  NewCacheLineAlignedAllocator()->Deallocate(nullptr);
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

// Allocates blocks and fills each with `number`.
void FillBlocks(MemoryAllocator* allocator, int number,
                std::vector<std::pair<uint8_t*, size_t>>* blocks) {
  for (size_t i = 0; i < 3000; ++i) {
    const size_t size = (i * 7919 + static_cast<size_t>(number) * 101) % 9000;
    auto* block = static_cast<uint8_t*>(allocator->Allocate(size));
    std::memset(block, number, size);
    blocks->emplace_back(block, size);
  }
}

bool Holds(const std::pair<uint8_t*, size_t>& block, int number) {
  return std::all_of(block.first, block.first + block.second,
                     [number](uint8_t byte) { return byte == number; });
}

TEST(CacheLineAllocatorTest, ServesSeveralThreads) {
  constexpr int kThreads = 4;
  const AllocatorPtr allocator = NewCacheLineAlignedAllocator();
  std::vector<std::pair<uint8_t*, size_t>> blocks[kThreads];
  for (int round = 0; round < 2; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      // In the second round, these are blocks that another thread allocated.
      auto* mine = &blocks[(t + round) % kThreads];
      const int before = (t + round) % kThreads;
      threads.emplace_back([&allocator, mine, before] {
        for (const auto& block : *mine) {
          EXPECT_EQ(Misalignment(block.first), 0u);
          EXPECT_TRUE(Holds(block, before));
          allocator->Deallocate(block.first);
        }
        mine->clear();
        FillBlocks(allocator.get(), before, mine);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (const auto& of_thread : blocks) {
    for (const auto& block : of_thread) allocator->Deallocate(block.first);
  }
}

}  // namespace
}  // namespace oneline
