// The portable kernel of the blocked Ribbon: what the others must equal. Needs
// no population count.

#include "table/blocked_ribbon.h"
#include "table/prefetch.h"
#include "table/ribbon_probe_scalar.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

struct FoldedParity {
  ONELINE_ALWAYS_INLINE static uint64_t Of(uint64_t bits) {
    bits ^= bits >> 32;
    bits ^= bits >> 16;
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    return 0x6996 >> (bits & 15);  // bit i: the parity of i
  }
};

bool One(const uint8_t* line, uint64_t hash, uint8_t parameter) {
  return Probe<FoldedParity>(line, hash, parameter);
}

void Batch(const uint8_t* lines, uint32_t num_lines, const uint64_t* hashes,
           size_t n, uint8_t parameter, bool* may_match) {
  const uint8_t* line[kBatchKeys];
  for (size_t m; n > 0; n -= m, hashes += m, may_match += m) {
    m = PrefetchLines(lines, num_lines, hashes, n, line);
    for (size_t i = 0; i < m; ++i) {
      may_match[i] = One(line[i], hashes[i], parameter);
    }
  }
}

}  // namespace

constexpr ProbeKernel kPortableKernel = {&One, &Batch};

}  // namespace blocked_ribbon
}  // namespace oneline
