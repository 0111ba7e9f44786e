#include "table/short_block/short_line_probe.h"

namespace oneline {

const ShortLineKernel& ShortLineKernelFor(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::kAvx512) return kAvx512ShortLineKernel;
  if (set == InstructionSet::kAvx2) return kAvx2ShortLineKernel;
#else
  (void)set;
#endif
  return kPortableShortLineKernel;
}

}  // namespace oneline
