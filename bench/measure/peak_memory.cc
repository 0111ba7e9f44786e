#include "bench/measure/peak_memory.h"

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace oneline {
namespace {

// For each thread, because threads that share a counter wait for each other.
// Memory that another thread frees makes them negative.
thread_local int64_t allocated = 0, peak = 0, base = 0;

void* Counted(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  allocated += static_cast<int64_t>(malloc_usable_size(p));
  if (allocated > peak) peak = allocated;
  return p;
}

void Release(void* p) {
  if (p == nullptr) return;
  allocated -= static_cast<int64_t>(malloc_usable_size(p));
  std::free(p);
}

}  // namespace

void ResetPeakMemory() { base = peak = allocated; }

size_t PeakMemory() { return static_cast<size_t>(peak - base); }

}  // namespace oneline

void* operator new(size_t size) { return oneline::Counted(std::malloc(size)); }
void* operator new[](size_t size) {
  return oneline::Counted(std::malloc(size));
}
void* operator new(size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<size_t>(alignment);
  // aligned_alloc needs a size that is a multiple of the alignment.
  return oneline::Counted(
      std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes));
}
void operator delete(void* p) noexcept { oneline::Release(p); }
void operator delete[](void* p) noexcept { oneline::Release(p); }
void operator delete(void* p, size_t) noexcept { oneline::Release(p); }
void operator delete[](void* p, size_t) noexcept { oneline::Release(p); }
void operator delete(void* p, std::align_val_t) noexcept {
  oneline::Release(p);
}
void operator delete(void* p, size_t, std::align_val_t) noexcept {
  oneline::Release(p);
}
