#include "table/simd/probe.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oneline {
namespace {

InstructionSet FromEnvironment() {
  const InstructionSet best = BestInstructionSet();
  const char* wanted = std::getenv("ONELINE_KERNEL");
  if (wanted == nullptr || *wanted == '\0') return best;
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    if (std::strcmp(wanted, kInstructionSetNames[i]) != 0) continue;
    const auto set = static_cast<InstructionSet>(i);
    if (set <= best) return set;
    std::fprintf(stderr,
                 "oneline: ONELINE_KERNEL=%s: this processor can't run it; "
                 "using %s\n",
                 wanted, kInstructionSetNames[static_cast<size_t>(best)]);
    return best;
  }
  std::fprintf(stderr,
               "oneline: ONELINE_KERNEL=%s: unknown, must be portable, avx2 or "
               "avx512; using %s\n",
               wanted, kInstructionSetNames[static_cast<size_t>(best)]);
  return best;
}

}  // namespace

InstructionSet BestInstructionSet() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vpopcntdq")) {
    return InstructionSet::kAvx512;
  }
  if (__builtin_cpu_supports("avx2")) return InstructionSet::kAvx2;
#endif
  return InstructionSet::kPortable;
}

InstructionSet ChosenInstructionSet() {
  static const InstructionSet chosen = FromEnvironment();
  return chosen;
}

}  // namespace oneline
