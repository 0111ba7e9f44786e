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
  __builtin_cpu_init();
#define ONELINE_AND(feature) &&__builtin_cpu_supports(feature)
#define ONELINE_CASE(set, name, FEATURES, ...) \
  case InstructionSet::k##set:                 \
    return true FEATURES(ONELINE_AND);
#elif defined(__aarch64__)
  // The kernels load words as bytes.
#define ONELINE_CASE(set, ...)                          \
  case InstructionSet::k##set:                          \
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
           (getauxval(AT_HWCAP) & HWCAP_PMULL) != 0;
#endif
#define ONELINE_NEVER(set, ...) \
  case InstructionSet::k##set:  \
    return false;
  switch (set) {
    case InstructionSet::kPortable:
      return true;
      ONELINE_SETS(ONELINE_CASE, ONELINE_NEVER)
  }
  return false;
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
