// Aligns blocks by itself within the memory that malloc returns:
//
//   begin                 block, at a multiple of 64
//   | gap, 1..64 bytes    | size bytes ...          |
//                     ^ the gap's last byte has the gap's length
//
// aligned_alloc would take more memory: in glibc before 2.38 it does not reuse
// freed blocks of the same size. A cache of 4 KiB blocks that are replaced at
// random then takes 1.36 to 1.51 times the memory of its blocks. With malloc it
// takes 1.05 to 1.06 times, with this allocator 1.07 to 1.08 times (256 MB, a
// million blocks, glibc 2.36). operator new may be the program's own, whose
// memory malloc_usable_size does not know.

#include "oneline/cache_line_allocator.h"

#include <malloc.h>
#include <rocksdb/utilities/object_registry.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

uint8_t* BeginOf(void* block) {
  uint8_t* bytes = static_cast<uint8_t*>(block);
  return bytes - bytes[-1];
}

class CacheLineAlignedAllocator final : public rocksdb::MemoryAllocator {
 public:
  const char* Name() const override { return kCacheLineAllocatorName; }

  // Allocators have no options, so the name alone creates an equal one.
  std::string GetId() const override { return Name(); }

  void* Allocate(size_t size) override {
    // A sum that overflows would ask for little memory. kMax makes malloc fail.
    constexpr size_t kMax = std::numeric_limits<size_t>::max();
    const size_t total = size <= kMax - kLineBytes ? size + kLineBytes : kMax;
    uint8_t* begin = static_cast<uint8_t*>(std::malloc(total));
    if (begin == nullptr) throw std::bad_alloc();
    const size_t gap =
        kLineBytes - reinterpret_cast<uintptr_t>(begin) % kLineBytes;
    uint8_t* block = begin + gap;
    block[-1] = static_cast<uint8_t>(gap);
    return block;
  }

  void Deallocate(void* block) override {
    if (block != nullptr) std::free(BeginOf(block));
  }

  size_t UsableSize(void* block, size_t /*allocation_size*/) const override {
    uint8_t* begin = BeginOf(block);
    const uint8_t* end = begin + malloc_usable_size(begin);
    return static_cast<size_t>(end - static_cast<uint8_t*>(block));
  }
};

}  // namespace

std::shared_ptr<rocksdb::MemoryAllocator>
ONELINE_ABI::NewCacheLineAlignedAllocator() {
  return std::make_shared<CacheLineAlignedAllocator>();
}

void RegisterAllocatorName(rocksdb::ObjectLibrary& library) {
  library.AddFactory<rocksdb::MemoryAllocator>(
      kCacheLineAllocatorName,
      [](const std::string& /*name*/,
         std::unique_ptr<rocksdb::MemoryAllocator>* guard,
         std::string* /*error*/) {
        *guard = std::make_unique<CacheLineAlignedAllocator>();
        return guard->get();
      });
}

}  // namespace oneline
