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
#include <iterator>

namespace oneline {

// Best last. A processor of one architecture has none of the other's sets.
enum class InstructionSet : uint8_t {
  kPortable,
  kPclmul,   // x86-64: Intel since 2010, AMD since 2011
  kAvx2,     // Intel since 2013, AMD since Zen
  kVpclmul,  // Intel since Ice Lake, AMD since Zen 3
  kAvx512,   // Intel since Ice Lake, AMD since Zen 4. Older processors with
             // AVX-512 lower their clock for it: they use kAvx2. Newer ones do
             // for multiplications of 512 bits, which kernels avoid.
  kNeon,     // arm64 with PMULL
};
inline constexpr const char* kInstructionSetNames[] = {
    "portable", "pclmul", "avx2", "vpclmul", "avx512", "neon"};
inline constexpr size_t kNumInstructionSets = std::size(kInstructionSetNames);
static_assert(kNumInstructionSets ==
                  1 + static_cast<size_t>(InstructionSet::kNeon),
              "each set has a name");

// By the names of GCC and Clang; F is applied to each.
#if defined(__x86_64__)
// clang-format off
#define ONELINE_PCLMUL_FEATURES(F) \
  F("pclmul") F("sse4.1")
#define ONELINE_AVX2_FEATURES(F) \
  ONELINE_PCLMUL_FEATURES(F) F("avx2") F("bmi") F("bmi2") F("popcnt")
#define ONELINE_VPCLMUL_FEATURES(F) \
  ONELINE_AVX2_FEATURES(F) F("vpclmulqdq")
#define ONELINE_AVX512_FEATURES(F) \
  ONELINE_VPCLMUL_FEATURES(F) F("avx512f") F("avx512bw") F("avx512dq") \
  F("avx512vl") F("avx512vpopcntdq")
// clang-format on

// For functions. SSE2, which every x86-64 processor has, begins the list.
#define ONELINE_NEXT_FEATURE(f) "," f
#define ONELINE_WITH(FEATURES) \
  __attribute__((target("sse2" FEATURES(ONELINE_NEXT_FEATURE))))
#define ONELINE_PCLMUL ONELINE_WITH(ONELINE_PCLMUL_FEATURES)
#define ONELINE_AVX2 ONELINE_WITH(ONELINE_AVX2_FEATURES)
#define ONELINE_VPCLMUL ONELINE_WITH(ONELINE_VPCLMUL_FEATURES)
#define ONELINE_AVX512 ONELINE_WITH(ONELINE_AVX512_FEATURES)
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

// What is written for some sets, such as the lookups of a kind of filter.
// Pointers, because the linker knows their values: copies would be there only
// once the initialisers of static objects have run, too late for those among
// them that open a database.
template <typename Kernel>
using Kernels = std::array<const Kernel*, kNumInstructionSets>;

template <typename Kernel>
struct KernelOfSet {
  InstructionSet set;
  const Kernel* kernel;
};

// From the kernels written, the portable one first and the best last. A set
// without one of its own gets that of the best set below it. (What one of
// another architecture gets is never used.)
template <typename Kernel, size_t kNumWritten>
constexpr Kernels<Kernel> KernelsOf(
    const KernelOfSet<Kernel> (&written)[kNumWritten]) {
  Kernels<Kernel> kernels{};
  for (const KernelOfSet<Kernel>& own : written) {
    for (size_t i = static_cast<size_t>(own.set); i < kernels.size(); ++i) {
      kernels[i] = own.kernel;
    }
  }
  return kernels;
}

// REQUIRES: IsSupported(set).
template <typename Kernel>
inline const Kernel& KernelFor(const Kernels<Kernel>& kernels,
                               InstructionSet set) {
  return *kernels[static_cast<size_t>(set)];
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_
