// The portable kernel of the blocked Bloom filter: what the others must equal.

#include "table/bloom/blocked_bloom.h"

namespace oneline {
namespace blocked_bloom {
namespace portable {

#define ONELINE_TARGET

static bool Probe(const uint8_t* line, uint64_t hash, LineContext context) {
  return ForEachProbe(hash, context.parameter, [line](uint32_t bit) {
    return (line[bit / 8] >> (bit % 8) & 1) != 0;
  });
}

#include "table/simd/lookups.inc"

}  // namespace portable
}  // namespace blocked_bloom
}  // namespace oneline
