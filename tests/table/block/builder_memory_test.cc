// What building a filter costs in memory at its peak: 8 bytes for each key, the
// block, and 1 MiB. Every allocation of the program is counted.

#include <malloc.h>

#include <new>

#include "table/block/filter_block_builder.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"

namespace {

// In bytes, with malloc's rounding. The tests have one thread.
size_t allocated = 0, peak_allocated = 0, allocated_before = 0;

void* Counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  allocated += malloc_usable_size(memory);
  peak_allocated = std::max(peak_allocated, allocated);
  return memory;
}

void Release(void* memory) {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// Those for arrays and without an alignment call these.
void* operator new(size_t size) { return Counted(std::malloc(size)); }
void* operator new(size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<size_t>(alignment);
  // aligned_alloc needs a size that is a multiple of the alignment.
  return Counted(std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes));
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, size_t) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  Release(memory);
}

namespace oneline {
namespace {

void ResetPeakMemory() { allocated_before = peak_allocated = allocated; }
size_t PeakMemory() { return peak_allocated - allocated_before; }

TEST(BuilderMemoryTest, PeakIsEightBytesAKeyTheBlockAndAMebibyte) {
  for (const KindTraits* kind : AllKinds()) {
    for (size_t n : {0, 1, 1000, 20000, 100000, 1000000, 2000000}) {
      for (double bits_per_key : {3.0, 10.0, 100.0}) {
        if (n * bits_per_key > 1e8) continue;
        ResetPeakMemory();
        FilterBlockBuilder builder(*kind, bits_per_key, 1);
        for (size_t i = 0; i < n; ++i) {
          builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
        }
        const size_t block = builder.Finish().size;
        const size_t peak = PeakMemory();
        EXPECT_GE(peak, 8 * n + block) << "not all was counted";
        EXPECT_LE(peak - 8 * n - block, FilterBlockBuilder::kMaxScratchBytes)
            << kind->name << ", " << n << " keys, " << bits_per_key;
      }
    }
  }
}

}  // namespace
}  // namespace oneline
