// The AVX2 kernel of the blocked Ribbon. What every processor with AVX2 has
// besides it, population count and shifts by a register, serves a lookup better
// than its vectors: these have no way to bring bytes from anywhere in a line to
// a lane but a gather, which is slow on some processors and very slow on those
// with a mitigation for it.

#if defined(__x86_64__)

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_probe_scalar.h"

#define ONELINE_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

namespace oneline {
namespace blocked_ribbon {
namespace {

struct CountedParity {
  ONELINE_ALWAYS_INLINE static uint64_t Of(uint64_t bits) {
    return static_cast<uint64_t>(__builtin_popcountll(bits));
  }
};

ONELINE_AVX2 __attribute__((noinline)) bool Rest(const uint8_t* line,
                                                 uint64_t hash,
                                                 uint8_t parameter) {
  return MatchesRest<CountedParity>(line, hash, parameter);
}

ONELINE_AVX2 bool One(const uint8_t* line, uint64_t hash, uint8_t parameter) {
  return ProbeOne<CountedParity, &Rest>(line, hash, parameter);
}

ONELINE_AVX2 void Batch(const uint8_t* lines, uint32_t num_lines,
                        const uint64_t* hashes, size_t n, uint8_t parameter,
                        bool* may_match) {
  ProbeBatch<CountedParity, &Rest>(lines, num_lines, hashes, n, parameter,
                                   may_match);
}

}  // namespace

constexpr ProbeKernel kAvx2Kernel = {&One, &Batch};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
