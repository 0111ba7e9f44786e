// Tests of table/simd/instruction_sets.h: the sets of this machine, and the
// choice by ONELINE_KERNEL.

#include "table/simd/instruction_sets.h"

#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace {

TEST(InstructionSetsTest, BelowTheBestAllOfTheArchitectureAreSupported) {
  const std::vector<InstructionSet> sets = SupportedSets();
  EXPECT_EQ(sets.front(), InstructionSet::kPortable);
  EXPECT_EQ(BestInstructionSet(), sets.back());
#if defined(__x86_64__)
  EXPECT_EQ(sets.size(), 1 + static_cast<size_t>(sets.back()));
#endif
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
                     ": unknown, must be portable, pclmul, .* or neon; using " +
                     best + "\n",
                 best);
  }
}

}  // namespace
}  // namespace oneline
