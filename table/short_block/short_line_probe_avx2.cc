// The AVX2 kernel of short lines: as for whole lines of the Ribbon, what every
// processor with AVX2 has besides it serves a lookup better than its vectors.

#if defined(__x86_64__)

#include "table/short_block/short_line_probe_scalar.h"

#define ONELINE_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

namespace oneline {
namespace {

ONELINE_AVX2 bool Ribbon(ShortLine line, uint64_t hash, uint8_t base) {
  return RibbonMatches(line, hash, base);
}

ONELINE_AVX2 bool Bloom(ShortLine line, uint64_t hash, uint8_t num_probes) {
  return BloomMatches(line, hash, num_probes);
}

}  // namespace

constexpr ShortLineKernel kAvx2ShortLineKernel = {&Ribbon, &Bloom};

}  // namespace oneline

#endif  // defined(__x86_64__)
