// The kernels of the blocked Ribbon that multiply two words at a time: for any
// processor with PCLMULQDQ, and for those with AVX2 but without VPCLMULQDQ.
// With AVX the same text needs fewer copies.

#if defined(__x86_64__)

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_query.h"
#include "table/ribbon_line/ribbon_x86.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

namespace pclmul {
#define ONELINE_TARGET ONELINE_PCLMUL
#include "table/ribbon/ribbon_kernel_x86_128.inc"
#include "table/simd/lookups.inc"
#undef ONELINE_TARGET
}  // namespace pclmul

namespace avx2 {
#define ONELINE_TARGET ONELINE_AVX2
#include "table/ribbon/ribbon_kernel_x86_128.inc"
#include "table/simd/lookups.inc"
}  // namespace avx2

}  // namespace

constexpr ProbeKernel kPclmulKernel = {&pclmul::Probe, &pclmul::Batch,
                                       &pclmul::ProbeShort};
constexpr ProbeKernel kAvx2Kernel = {&avx2::Probe, &avx2::Batch,
                                     &avx2::ProbeShort};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
