#include "table/simd/instruction_sets.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "table/environment/environment_variable.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_PMULL
#define HWCAP_PMULL (1 << 4)
#endif
#endif

namespace oneline {
namespace {

InstructionSet Complain(const char* wanted, const std::string& problem) {
  const InstructionSet best = BestInstructionSet();
  std::fprintf(stderr, "oneline: ONELINE_KERNEL=%s: %s; using %s\n", wanted,
               problem.c_str(),
               kInstructionSetNames[static_cast<size_t>(best)]);
  return best;
}

InstructionSet FromEnvironment() {
  const char* wanted = EnvironmentVariable("ONELINE_KERNEL");
  if (wanted == nullptr || *wanted == '\0') return BestInstructionSet();
  std::string names;
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    const auto set = static_cast<InstructionSet>(i);
    if (std::strcmp(wanted, kInstructionSetNames[i]) == 0) {
      return IsSupported(set) ? set
                              : Complain(wanted, "this processor can't run it");
    }
    if (i > 0) names += i + 1 < kNumInstructionSets ? ", " : " or ";
    names += kInstructionSetNames[i];
  }
  return Complain(wanted, "unknown, must be " + names);
}

}  // namespace

bool IsSupported(InstructionSet set) {
#if defined(__x86_64__)
#define ONELINE_AND_FEATURE(f) &&__builtin_cpu_supports(f)
  __builtin_cpu_init();
  switch (set) {
    case InstructionSet::kPortable:
      return true;
    case InstructionSet::kPclmul:
      return true ONELINE_PCLMUL_FEATURES(ONELINE_AND_FEATURE);
    case InstructionSet::kAvx2:
      return true ONELINE_AVX2_FEATURES(ONELINE_AND_FEATURE);
    case InstructionSet::kVpclmul:
      return true ONELINE_VPCLMUL_FEATURES(ONELINE_AND_FEATURE);
    case InstructionSet::kAvx512:
      return true ONELINE_AVX512_FEATURES(ONELINE_AND_FEATURE);
    case InstructionSet::kNeon:
      return false;
  }
  return false;
#undef ONELINE_AND_FEATURE
#elif defined(__aarch64__)
  if (set == InstructionSet::kNeon) {
    // The kernels load words as bytes.
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&
           (getauxval(AT_HWCAP) & HWCAP_PMULL) != 0;
  }
  return set == InstructionSet::kPortable;
#else
  return set == InstructionSet::kPortable;
#endif
}

InstructionSet BestInstructionSet() {
  size_t best = kNumInstructionSets - 1;
  while (!IsSupported(static_cast<InstructionSet>(best))) --best;
  return static_cast<InstructionSet>(best);
}

InstructionSet ChosenInstructionSet() {
  static const InstructionSet chosen = FromEnvironment();
  return chosen;
}

}  // namespace oneline
