// An allocator whose allocations have the sizes of jemalloc's, whatever malloc
// the test runs with: four from one power of two to the next. Or any others.

#ifndef ONELINE_TESTS_FILTER_POLICY_SIZE_CLASS_ALLOCATOR_H_
#define ONELINE_TESTS_FILTER_POLICY_SIZE_CLASS_ALLOCATOR_H_

#include <rocksdb/cache.h>
#include <rocksdb/memory_allocator.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace oneline {

// The size of the allocation for `bytes`.
inline size_t SizeClass(size_t bytes) {
  size_t power = 64;
  while (power * 2 <= bytes) power *= 2;
  const size_t step = power / 4;
  return (bytes + step - 1) / step * step;
}

class SizeClassAllocator final : public rocksdb::MemoryAllocator {
 public:
  // `usable`: the size of the allocation for so many bytes.
  explicit SizeClassAllocator(size_t (*usable)(size_t bytes) = SizeClass)
      : usable_(usable) {}
  const char* Name() const override { return "SizeClassAllocator"; }
  void* Allocate(size_t size) override {
    return ::operator new(std::max(size, usable_(size)));
  }
  void Deallocate(void* block) override { ::operator delete(block); }
  size_t UsableSize(void*, size_t size) const override { return usable_(size); }

 private:
  size_t (*const usable_)(size_t bytes);
};

inline std::shared_ptr<rocksdb::Cache> SizeClassCache() {
  rocksdb::LRUCacheOptions options;
  options.capacity = 8 << 20;
  options.memory_allocator = std::make_shared<SizeClassAllocator>();
  return rocksdb::NewLRUCache(options);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SIZE_CLASS_ALLOCATOR_H_
