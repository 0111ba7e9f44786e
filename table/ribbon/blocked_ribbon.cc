#include "table/ribbon/blocked_ribbon.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "table/ribbon/ribbon_line.h"
#include "table/ribbon/ribbon_model.h"
#include "table/ribbon/ribbon_partition.h"
#include "table/ribbon/ribbon_solver.h"
#include "table/simd/probe.h"

namespace oneline {
namespace blocked_ribbon {

uint8_t ChooseParameter(double, size_t num_keys, uint32_t num_lines) {
  // Keys fall on lines at random, so the keys of a line are binomial. Lines two
  // standard deviations below the mean can have more rows than they need: they
  // add next to nothing to the false positives. But lines four and a half above
  // it must still have room, with 4 rows for keys that need more than one each.
  const double mean = static_cast<double>(num_keys) / num_lines;
  const double variance = mean * (1 - 1.0 / num_lines);
  // The factor under the root: before a subtraction, some compilers would round
  // once where others round twice, and some day give another base.
  const double room = kUnsolved - 1 - 4 - std::sqrt(4.5 * 4.5 * variance);
  const double below = std::min(2 * std::sqrt(variance), room);
  return static_cast<uint8_t>(std::clamp(std::floor(mean - below), 0.0, 255.0));
}

double FpRate(double bits_per_key, uint8_t parameter, int effort) {
  return BlockedRibbonFpRate(bits_per_key, parameter, effort);
}

double LineFpRate(const uint8_t* line, uint8_t parameter) {
  const Header header = DecodeHeader(line);
  if (header.rows_over_base == kUnsolved) return 1;
  const uint32_t rows = parameter + header.rows_over_base;
  if (rows == 0) return 0;
  const uint32_t partial_rows = PartialRows(rows);
  int asked = 0;
  for (uint32_t group = 0; partial_rows > 0 && group < 256; ++group) {
    asked += Reaches(group, header.reach, rows, partial_rows) ? 1 : 0;
  }
  return std::ldexp(1 - asked / 512.0, -static_cast<int>(FullColumns(rows)));
}

void Build(HashList& hashes, uint8_t parameter, int effort, uint8_t* lines,
           uint32_t num_lines) {
  assert(effort >= 1 && effort <= static_cast<int>(kMaxSeeds));
  // Not on the stack: it is too large for small ones.
  std::make_unique<PartitionedBuild>(SolverFor(ChosenInstructionSet()),
                                     parameter, static_cast<uint32_t>(effort),
                                     hashes, lines, num_lines)
      ->Run();
}

#if defined(__x86_64__)
constexpr ProbeKernels kKernels = {&kPortableKernel, &kAvx2Kernel,
                                   &kAvx512Kernel};
#else
constexpr ProbeKernels kKernels = {&kPortableKernel, &kPortableKernel,
                                   &kPortableKernel};
#endif

}  // namespace blocked_ribbon
}  // namespace oneline
