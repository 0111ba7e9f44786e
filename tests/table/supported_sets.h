// The instruction sets that this machine can run, for tests that go through
// them.

#ifndef ONELINE_TESTS_TABLE_SUPPORTED_SETS_H_
#define ONELINE_TESTS_TABLE_SUPPORTED_SETS_H_

#include <cstddef>
#include <vector>

#include "table/simd/instruction_sets.h"

namespace oneline {

// All, for tests with a case for each: cases of sets that this machine can't
// run skip themselves, which the log shows.
inline std::vector<InstructionSet> AllSets() {
  std::vector<InstructionSet> sets;
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    sets.push_back(static_cast<InstructionSet>(i));
  }
  return sets;
}

inline std::vector<InstructionSet> SupportedSets() {
  std::vector<InstructionSet> sets;
  for (InstructionSet set : AllSets()) {
    if (IsSupported(set)) sets.push_back(set);
  }
  return sets;
}

inline const char* NameOf(InstructionSet set) {
  return kInstructionSetNames[static_cast<size_t>(set)];
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_SUPPORTED_SETS_H_
