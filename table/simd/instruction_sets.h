// The instruction sets that kernels are written for, and the choice between
// them when the program runs.
//
// A set's features are listed once, below. The list gives both the attribute of
// the functions compiled for the set and the check of the processor, so that no
// function can use an instruction that was not checked for.

#ifndef ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_
#define ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace oneline {

// Best last. A processor of one architecture has none of the other's sets.
enum class InstructionSet : uint8_t {
  kPortable,
  kPclmul,   // x86-64: Intel since 2010, AMD since 2011
  kHaswell,  // and AVX2: Intel since 2013, AMD since Zen
  kAvx2,     // and VPCLMULQDQ: Intel since Ice Lake, AMD since Zen 3
  kAvx512,   // Intel since Ice Lake, AMD since Zen 4. Older processors with
             // AVX-512 lower their clock for it: they use kHaswell. Newer ones
             // do for multiplications of 512 bits, which kernels avoid.
  kNeon,     // arm64 with PMULL
};
inline constexpr size_t kNumInstructionSets = 6;
inline constexpr std::array<const char*, kNumInstructionSets>
    kInstructionSetNames = {"portable", "pclmul", "haswell",
                            "avx2",     "avx512", "neon"};

// By the names of GCC and Clang; F is applied to each.
#if defined(__x86_64__)
#define ONELINE_PCLMUL_FEATURES(F) F("pclmul") F("sse4.1")
#define ONELINE_HASWELL_FEATURES(F) \
  ONELINE_PCLMUL_FEATURES(F) F("avx2") F("bmi") F("bmi2") F("popcnt")
#define ONELINE_AVX2_FEATURES(F) ONELINE_HASWELL_FEATURES(F) F("vpclmulqdq")
#define ONELINE_AVX512_FEATURES(F)            \
  ONELINE_AVX2_FEATURES(F)                    \
  F("avx512f")                                \
  F("avx512bw")                               \
  F("avx512dq") F("avx512vl") F("avx512vbmi") \
      F("avx512vpopcntd"                      \
        "q")

// For functions. SSE2, which every x86-64 processor has, begins the list.
#define ONELINE_NEXT_FEATURE(f) "," f
#define ONELINE_PCLMUL \
  __attribute__((target("sse2" ONELINE_PCLMUL_FEATURES(ONELINE_NEXT_FEATURE))))
#define ONELINE_HASWELL \
  __attribute__((target("sse2" ONELINE_HASWELL_FEATURES(ONELINE_NEXT_FEATURE))))
#define ONELINE_AVX2 \
  __attribute__((target("sse2" ONELINE_AVX2_FEATURES(ONELINE_NEXT_FEATURE))))
#define ONELINE_AVX512 \
  __attribute__((target("sse2" ONELINE_AVX512_FEATURES(ONELINE_NEXT_FEATURE))))
#elif defined(__aarch64__)
#if defined(__clang__)
#define ONELINE_NEON __attribute__((target("neon,aes")))
#else
#define ONELINE_NEON __attribute__((target("+crypto")))
#endif
#endif

// Whether this processor and its operating system can run the set.
bool IsSupported(InstructionSet set);

// The best set of this processor.
InstructionSet BestInstructionSet();

// The set that readers and builders use: the best one, unless the environment
// variable ONELINE_KERNEL names another when it is first asked for. A name that
// is unknown, or that this processor can't run, is reported on standard error,
// once, and ignored.
InstructionSet ChosenInstructionSet();

// What is written once for each set, such as the lookups of a kind of filter.
// Where a set has none of its own, the best of the sets below it stands in its
// place; sets of other architectures repeat the portable one. Pointers, because
// the linker knows their values: copies would be there only once the
// initialisers of static objects have run, too late for those among them that
// open a database.
template <typename Kernel>
using Kernels = std::array<const Kernel*, kNumInstructionSets>;

// Whether the list has an element for each set. What is left out at its end is
// null.
template <typename Kernel>
constexpr bool IsWhole(const Kernels<Kernel>& kernels) {
  return kernels.back() != nullptr;
}

// REQUIRES: IsSupported(set).
template <typename Kernel>
inline const Kernel& KernelFor(const Kernels<Kernel>& kernels,
                               InstructionSet set) {
  return *kernels[static_cast<size_t>(set)];
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_
