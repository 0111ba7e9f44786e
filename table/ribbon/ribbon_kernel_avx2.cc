// The AVX2 kernel of the blocked Ribbon, for processors without VPCLMULQDQ:
// they multiply two words at a time.

#if defined(__x86_64__)

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_query.h"
#include "table/ribbon_line/ribbon_x86.h"

#define ONELINE_TARGET ONELINE_AVX2

namespace oneline {
namespace blocked_ribbon {
namespace {

#include "table/ribbon/ribbon_kernel_x86_128.inc"
#include "table/simd/lookups.inc"

}  // namespace

constexpr ProbeKernel kAvx2Kernel = {&One, &Batch, &Short};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
