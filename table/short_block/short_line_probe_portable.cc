// The portable kernel of short lines: what the others must equal.

#include "table/short_block/short_line_probe_scalar.h"

namespace oneline {
namespace {

bool Ribbon(ShortLine line, uint64_t hash, uint8_t base) {
  return RibbonMatches(line, hash, base);
}

bool Bloom(ShortLine line, uint64_t hash, uint8_t num_probes) {
  return BloomMatches(line, hash, num_probes);
}

}  // namespace

constexpr ShortLineKernel kPortableShortLineKernel = {&Ribbon, &Bloom};

}  // namespace oneline
