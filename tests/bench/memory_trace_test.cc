// Tests of bench/measure/memory_trace.h: the trace has every read with its
// address and size. The counts of cache lines depend on that.

#include "bench/measure/memory_trace.h"

#include <gtest/gtest.h>
#include <immintrin.h>

#include <cstdint>
#include <vector>

namespace oneline {

bool operator==(const MemoryAccess& a, const MemoryAccess& b) {
  return a.type == b.type && a.address == b.address && a.bytes == b.bytes;
}

namespace {

alignas(64) uint8_t memory[256];

using Accesses = std::vector<MemoryAccess>;

MemoryAccess Read(size_t offset, size_t bytes) {
  return {MemoryAccess::kRead, reinterpret_cast<uintptr_t>(memory) + offset,
          bytes};
}

MemoryAccess Prefetch(size_t offset) {
  return {MemoryAccess::kPrefetch, reinterpret_cast<uintptr_t>(memory) + offset,
          1};
}

// The accesses to bytes 64 to 191 of the memory.
template <typename Function>
Accesses Trace(const Function& f) {
  return TraceReads(memory + 64, 128, f);
}

TEST(MemoryTraceTest, EveryAddressingMode) {
  uint8_t* bytes = memory + 64;
  const uint64_t index = 3, negative = static_cast<uint64_t>(-8);
  EXPECT_EQ(
      Trace([=] {
        asm volatile("mov 1(%0, %1, 4), %%al" ::"r"(bytes), "r"(index) : "rax");
        asm volatile("mov 64(%0, %1), %%al" ::"r"(bytes), "r"(negative)
                     : "rax");
        asm volatile("mov %0, %%al" ::"m"(memory[80]) : "rax");
        asm volatile("lodsb" : : "S"(bytes + 2) : "rax");
        asm volatile("add %%al, (%0)" ::"r"(bytes + 9) : "memory");
        asm volatile("movups 100(%0), %%xmm0" ::"r"(bytes) : "xmm0");
        __builtin_prefetch(bytes + 6);
        // No reads.
        asm volatile("movb $1, (%0)" ::"r"(bytes) : "memory");
        asm volatile("lea 8(%0), %%rax" ::"r"(bytes) : "rax");
        asm volatile("nopl (%0)" ::"r"(bytes));
      }),
      (Accesses{Read(77, 1), Read(120, 1), Read(80, 1), Read(66, 1),
                Read(73, 1), Read(164, 16), Prefetch(70)}));
}

TEST(MemoryTraceTest, OtherMemoryIsLeftOut) {
  EXPECT_EQ(Trace([] {
              const uint8_t* bytes = memory;
              asm volatile("mov 56(%0), %%rax" ::"r"(bytes) : "rax");
              asm volatile("mov 57(%0), %%rax" ::"r"(bytes) : "rax");
              asm volatile("mov 191(%0), %%rax" ::"r"(bytes) : "rax");
              asm volatile("mov 192(%0), %%rax" ::"r"(bytes) : "rax");
            }),
            (Accesses{Read(57, 8), Read(191, 8)}));
}

__attribute__((target("avx2"))) void ReadWithAvx2() {
  const uint8_t* bytes = memory + 64;
  asm volatile("vmovdqu 48(%0), %%ymm9" ::"r"(bytes) : "xmm9");
  // Elements 1 and 3 of a gather by 64-bit indices.
  const __m256i by_8 = _mm256_setr_epi64x(0, 2, 4, -1);
  const __m256i chosen = _mm256_setr_epi64x(0, -1, 1, -1);
  __m256i result = _mm256_mask_i64gather_epi64(
      _mm256_setzero_si256(), reinterpret_cast<const long long*>(bytes + 16),
      by_8, chosen, 8);
  asm volatile("" : "+x"(result));
  // All of a gather of 4 32-bit values by 32-bit indices.
  __m128i narrow = _mm_i32gather_epi32(reinterpret_cast<const int*>(bytes),
                                       _mm_setr_epi32(1, 3, 5, 7), 4);
  asm volatile("" : "+x"(narrow));
}

TEST(MemoryTraceTest, Avx2AndItsGathers) {
  if (!__builtin_cpu_supports("avx2")) {
    GTEST_SKIP() << "the processor has no AVX2";
  }
  EXPECT_EQ(Trace([] { ReadWithAvx2(); }),
            (Accesses{Read(112, 32), Read(96, 8), Read(72, 8), Read(68, 4),
                      Read(76, 4), Read(84, 4), Read(92, 4)}));
}

__attribute__((target("avx512f,avx512vl"))) void ReadWithAvx512() {
  const uint8_t* bytes = memory + 64;
  asm volatile("vmovdqu64 33(%0), %%zmm20" ::"r"(bytes) : "xmm20");
  asm volatile("vpaddq (%0)%{1to8%}, %%zmm20, %%zmm21" ::"r"(bytes) : "xmm21");
  asm volatile(
      "kmovw %1, %%k3\n\t"
      "vmovdqu64 %2, %%zmm22\n\t"
      "vpgatherqq 8(%0, %%zmm22, 2), %%zmm23%{%%k3%}"
      :
      : "r"(bytes), "r"(0x82),
        "m"(*reinterpret_cast<const uint8_t(*)[64]>(memory + 192))
      : "xmm22", "xmm23");
}

TEST(MemoryTraceTest, Avx512AndItsGathers) {
  if (!__builtin_cpu_supports("avx512vl")) {
    GTEST_SKIP() << "the processor has no AVX-512";
  }
  auto* indices = reinterpret_cast<int64_t*>(memory + 192);
  for (int i = 0; i < 8; ++i) indices[i] = 3 * i;
  EXPECT_EQ(Trace([] { ReadWithAvx512(); }),
            (Accesses{Read(97, 64), Read(64, 8), Read(78, 8), Read(114, 8)}));
}

}  // namespace
}  // namespace oneline
