// The portable kernel of the blocked Ribbon: what the others must equal. Needs
// no population count.

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_probe_scalar.h"

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

__attribute__((noinline)) bool Rest(const uint8_t* line, uint64_t hash,
                                    uint8_t parameter) {
  return MatchesRest<FoldedParity>(line, hash, parameter);
}

bool One(const uint8_t* line, uint64_t hash, uint8_t parameter) {
  return ProbeOne<FoldedParity, &Rest>(line, hash, parameter);
}

void Batch(const uint8_t* lines, uint32_t num_lines, const uint64_t* hashes,
           size_t n, uint8_t parameter, bool* may_match) {
  ProbeBatch<FoldedParity, &Rest>(lines, num_lines, hashes, n, parameter,
                                  may_match);
}

}  // namespace

constexpr ProbeKernel kPortableKernel = {&One, &Batch};

}  // namespace blocked_ribbon
}  // namespace oneline
