// Tests of table/simd/instruction_sets.h: the sets of this machine, and the
// choice by ONELINE_KERNEL.

#include "table/simd/instruction_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

TEST(InstructionSetsTest, NoArchitectureHasTheSetsOfAnother) {
  EXPECT_TRUE(IsSupported(InstructionSet::kPortable));
#if defined(__x86_64__)
  EXPECT_FALSE(IsSupported(InstructionSet::kNeon));
#else
  for (InstructionSet set :
       {InstructionSet::kPclmul, InstructionSet::kAvx2,
        InstructionSet::kVpclmul, InstructionSet::kAvx512}) {
    EXPECT_FALSE(IsSupported(set)) << NameOf(set);
  }
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
  EXPECT_EQ(SupportedSets().size(), 1u);
#endif
}

#if defined(__x86_64__)
// By the processor's own instruction and the bits of its manual: a set is
// supported if, and only if, all that its functions use is there.
TEST(InstructionSetsTest, AreThoseThatCpuidHasTheFeaturesOf) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  ASSERT_NE(__get_cpuid(1, &eax, &ebx, &ecx, &edx), 0);
  const unsigned leaf_1_ecx = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) ebx = ecx = 0;
  // The registers that the operating system saves.
  unsigned saved = 0, upper_half = 0;
  if ((leaf_1_ecx >> 27 & 1) != 0) {
    __asm__("xgetbv" : "=a"(saved), "=d"(upper_half) : "c"(0));
  }
  const auto all = [](unsigned word, std::initializer_list<int> bits) {
    return std::all_of(bits.begin(), bits.end(),
                       [word](int bit) { return (word >> bit & 1) != 0; });
  };
  const bool pclmul = all(leaf_1_ecx, {1, 19});  // PCLMULQDQ, SSE4.1
  // POPCNT; AVX2, BMI, BMI2; the YMM registers.
  const bool avx2 = pclmul && all(leaf_1_ecx, {23}) && all(ebx, {5, 3, 8}) &&
                    all(saved, {1, 2});
  const bool vpclmul = avx2 && all(ecx, {10});  // VPCLMULQDQ
  // F, DQ, BW, VL; VPOPCNTDQ; the mask and the ZMM registers.
  const bool avx512 = vpclmul && all(ebx, {16, 17, 30, 31}) && all(ecx, {14}) &&
                      all(saved, {5, 6, 7});
  const auto has_features = [&](InstructionSet set) {
    switch (set) {
      case InstructionSet::kPortable:
        return true;
      case InstructionSet::kPclmul:
        return pclmul;
      case InstructionSet::kAvx2:
        return avx2;
      case InstructionSet::kVpclmul:
        return vpclmul;
      case InstructionSet::kAvx512:
        return avx512;
      case InstructionSet::kNeon:
        return false;
    }
    return false;
  };
  for (InstructionSet set : AllSets()) {
    EXPECT_EQ(IsSupported(set), has_features(set)) << NameOf(set);
  }
}
#endif

// Because a set without a kernel has that of a set below it.
TEST(InstructionSetsTest, BelowTheBestAllOfTheArchitectureAreSupported) {
  const std::vector<InstructionSet> sets = SupportedSets();
  EXPECT_EQ(BestInstructionSet(), sets.back());
#if defined(__x86_64__)
  EXPECT_EQ(sets.size(), 1 + static_cast<size_t>(sets.back()));
#endif
}

TEST(KernelForTest, TakesTheOneOfTheSetOrTheBestBelow) {
  static constexpr int kPortable = 10, kAvx2 = 12, kAvx512 = 14;
  static constexpr KernelOfSet<int> kWritten[] = {
      {InstructionSet::kPortable, &kPortable},
      {InstructionSet::kAvx2, &kAvx2},
      {InstructionSet::kAvx512, &kAvx512}};
  constexpr Kernels<int> kernels = KernelsOf(kWritten);
  EXPECT_EQ(KernelFor(kernels, InstructionSet::kPortable), 10);
  EXPECT_EQ(KernelFor(kernels, InstructionSet::kPclmul), 10);
  EXPECT_EQ(KernelFor(kernels, InstructionSet::kAvx2), 12);
  EXPECT_EQ(KernelFor(kernels, InstructionSet::kVpclmul), 12);
  EXPECT_EQ(KernelFor(kernels, InstructionSet::kAvx512), 14);
}

// The choice of instruction set happens once in a program, so each case runs
// in a program of its own. Expects that it writes `message` to standard error
// with this ONELINE_KERNEL, and then the name of the chosen set. A change of
// the variable afterwards changes nothing.
void ExpectChoice(const std::string& kernel, const std::string& message,
                  const std::string& chosen) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("ONELINE_KERNEL", kernel.c_str(), 1);
        ChosenInstructionSet();
        setenv("ONELINE_KERNEL", "nonsense", 1);
        std::fputs(NameOf(ChosenInstructionSet()), stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^" + message + chosen + "$");
}

TEST(ChosenInstructionSetDeathTest, IsTheOneNamedOrTheBest) {
  const std::string best = NameOf(BestInstructionSet());
  ExpectChoice("", "", best);
  for (InstructionSet set : AllSets()) {
    const std::string name = NameOf(set);
    if (IsSupported(set)) {
      ExpectChoice(name, "", name);
    } else {
      ExpectChoice(name,
                   "oneline: ONELINE_KERNEL=" + name +
                       ": this processor can't run it; using " + best + "\n",
                   best);
    }
  }
  for (const std::string name : {"sse2", "AVX2", "avx2 ", "haswell", "0"}) {
    ExpectChoice(name,
                 "oneline: ONELINE_KERNEL=" + name +
                     ": unknown, must be portable, pclmul, avx2, vpclmul, "
                     "avx512 or neon; using " +
                     best + "\n",
                 best);
  }
}

}  // namespace
}  // namespace oneline
