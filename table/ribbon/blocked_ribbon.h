// Kind 2, the blocked Ribbon filter: a Ribbon filter (Dillinger, Walzer,
// "Ribbon filter: practically smaller than Bloom and Xor", 2021) confined to
// one 512-bit line. Each key gives linear equations over GF(2), whose unknowns
// are the bits of its line; each line has as many rows as its keys need, and as
// many columns as there is then room for.
//
//   hashes -> Build: by line -> line_solver: solve -> lines
//
// ribbon_line.h draws a line's bits.

#ifndef ONELINE_TABLE_RIBBON_BLOCKED_RIBBON_H_
#define ONELINE_TABLE_RIBBON_BLOCKED_RIBBON_H_

#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_ribbon {

// The parameter is the base from which lines count their rows: those of the
// emptiest lines.
extern const LineFormat kLines;

// The kernels, each in the namespace of its set.
namespace portable {
extern const ProbeKernel kKernel;
}
#define ONELINE_DECLARE(set, name, features, bloom, ribbon, ...) \
  namespace ribbon {                                             \
  extern const ProbeKernel kKernel;                              \
  }
ONELINE_INSTRUCTION_SETS(ONELINE_DECLARE, ONELINE_DECLARE)
#undef ONELINE_DECLARE

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_BLOCKED_RIBBON_H_
