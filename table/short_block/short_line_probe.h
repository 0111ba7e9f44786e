// Lookups in a line of a short block (short_block.h): laid out like a line of a
// filter block of that kind, but of 8 to 64 bytes.
//
// The portable kernel defines the answers, as in probe.h.

#ifndef ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_H_
#define ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_H_

#include <cstddef>
#include <cstdint>

#include "table/simd/probe.h"

namespace oneline {

struct ShortLine {
  const uint8_t* bytes;
  uint32_t num_bytes;  // 8..64
};

// Whether the key with this hash may be in the line. No byte outside the line
// is read. Thread-safe.
struct ShortLineKernel {
  // base: that of the line's rows, see ribbon_line.h.
  bool (*ribbon)(ShortLine line, uint64_t hash, uint8_t base);
  // num_probes: 1 to 24.
  bool (*bloom)(ShortLine line, uint64_t hash, uint8_t num_probes);
};

// REQUIRES: set <= BestInstructionSet().
const ShortLineKernel& ShortLineKernelFor(InstructionSet set);

// The kernels, for short_line_probe.cc; the last two for x86-64 only.
extern const ShortLineKernel kPortableShortLineKernel;
extern const ShortLineKernel kAvx2ShortLineKernel;
extern const ShortLineKernel kAvx512ShortLineKernel;

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_H_
