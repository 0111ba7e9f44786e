// The instruction sets that kernels are written for, and the choice between
// them when the program runs.
//
// ONELINE_INSTRUCTION_SETS is the one list of them. It gives the enumerators
// and names, the attribute of functions compiled for a set and the check of the
// processor, so that no function can use an instruction that was not checked
// for, and the tables of kernels (table/bloom/, ribbon/, ribbon_solver/).

#ifndef ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_
#define ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

// clang-format off
// Features by the names of GCC and Clang; F is applied to each. A set has those
// of the sets before it.
#define ONELINE_PCLMUL_FEATURES(F) F("pclmul") F("sse4.1")
#define ONELINE_AVX2_FEATURES(F) \
  ONELINE_PCLMUL_FEATURES(F) F("avx2") F("bmi") F("bmi2") F("popcnt")
#define ONELINE_VPCLMUL_FEATURES(F) ONELINE_AVX2_FEATURES(F) F("vpclmulqdq")
#define ONELINE_AVX512_FEATURES(F) \
  ONELINE_VPCLMUL_FEATURES(F) F("avx512f") F("avx512bw") F("avx512dq") \
  F("avx512vl") F("avx512vpopcntdq")
#define ONELINE_NEON_FEATURES(F)

// A row for each set but the portable one, the best of an architecture last:
// X86 or ARM64 of the name, the features, and the namespaces whose kernels the
// set runs, of Bloom filters, of Ribbon filters, and of the Ribbon's solver.
//
//   pclmul    Intel since 2010, AMD since 2011
//   avx2      Intel since 2013, AMD since Zen
//   vpclmul   Intel since Ice Lake, AMD since Zen 3
//   avx512    Intel since Ice Lake, AMD since Zen 4. Older processors with
//             AVX-512 lower their clock for it: they use avx2. Newer ones do
//             for multiplications of 512 bits, which kernels avoid
//   neon      arm64 with PMULL
#define ONELINE_INSTRUCTION_SETS(X86, ARM64) \
  X86(Pclmul,  pclmul,  ONELINE_PCLMUL_FEATURES,  portable, pclmul,  pclmul) \
  X86(Avx2,    avx2,    ONELINE_AVX2_FEATURES,    avx2,     avx2,    avx2) \
  X86(Vpclmul, vpclmul, ONELINE_VPCLMUL_FEATURES, avx2,     vpclmul, avx2) \
  X86(Avx512,  avx512,  ONELINE_AVX512_FEATURES,  avx2,     avx512,  avx512) \
  ARM64(Neon,  neon,    ONELINE_NEON_FEATURES,    neon,     neon,    neon)

// The same rows, as HERE those of this architecture.
#if defined(__x86_64__)
#define ONELINE_SETS(HERE, ELSEWHERE) ONELINE_INSTRUCTION_SETS(HERE, ELSEWHERE)
#elif defined(__aarch64__)
#define ONELINE_SETS(HERE, ELSEWHERE) ONELINE_INSTRUCTION_SETS(ELSEWHERE, HERE)
#else
#define ONELINE_SETS(HERE, ELSEWHERE) \
  ONELINE_INSTRUCTION_SETS(ELSEWHERE, ELSEWHERE)
#endif

// The attribute of functions for a set. SSE2, which every x86-64 processor has,
// begins the list; on arm64 there is one set, whose features the compilers name
// differently.
#if defined(__x86_64__)
#define ONELINE_BASELINE "sse2"
#elif defined(__clang__)
#define ONELINE_BASELINE "neon,aes"
#else
#define ONELINE_BASELINE "+crypto"
#endif
#define ONELINE_NEXT_FEATURE(f) "," f
#define ONELINE_WITH(FEATURES) \
  __attribute__((target(ONELINE_BASELINE FEATURES(ONELINE_NEXT_FEATURE))))
// clang-format on

namespace oneline {

#define ONELINE_ENUMERATOR(set, ...) k##set,
#define ONELINE_NAME(set, name, ...) , #name
// Best last. A processor of one architecture has none of the other's sets.
enum class InstructionSet : uint8_t {
  kPortable,
  ONELINE_INSTRUCTION_SETS(ONELINE_ENUMERATOR, ONELINE_ENUMERATOR)
};
inline constexpr const char* kInstructionSetNames[] = {
    "portable" ONELINE_INSTRUCTION_SETS(ONELINE_NAME, ONELINE_NAME)};
#undef ONELINE_ENUMERATOR
#undef ONELINE_NAME
inline constexpr size_t kNumInstructionSets = std::size(kInstructionSetNames);

// Whether this processor and its operating system can run the set.
bool IsSupported(InstructionSet set);

// The best set of this processor.
InstructionSet BestInstructionSet();

// The set that readers and builders use: the best one, unless the environment
// variable ONELINE_KERNEL names another at the first call. A name that is
// unknown, or that this processor can't run, is reported on standard error.
InstructionSet ChosenInstructionSet();

// What there is for each set, such as the lookups of a kind of filter.
// Pointers, because the linker knows their values: copies would come too late
// for initialisers of static objects that open a database.
template <typename Kernel>
using Kernels = std::array<const Kernel*, kNumInstructionSets>;

// REQUIRES: IsSupported(set).
template <typename Kernel>
inline const Kernel& KernelFor(const Kernels<Kernel>& kernels,
                               InstructionSet set) {
  return *kernels[static_cast<size_t>(set)];
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_INSTRUCTION_SETS_H_
