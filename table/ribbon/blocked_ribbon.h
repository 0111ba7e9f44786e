// Kind 2, the blocked Ribbon filter: a Ribbon filter (Dillinger, Walzer,
// "Ribbon filter: practically smaller than Bloom and Xor", 2021) confined to
// one 512-bit line. Each key gives linear equations over GF(2), whose unknowns
// are the bits of its line; each line has as many rows as its keys need, and as
// many columns as there is then room for.
//
//   hashes -> Build: by line -> line_solver: solve -> lines
//
// ribbon_line.h draws a line's bits. The parameter is the base from which lines
// count their rows: those of the emptiest lines.

#ifndef ONELINE_TABLE_RIBBON_BLOCKED_RIBBON_H_
#define ONELINE_TABLE_RIBBON_BLOCKED_RIBBON_H_

#include <cstddef>
#include <cstdint>

#include "table/hash/hash_list.h"
#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_ribbon {

// Whether it is the base of lines that we know.
bool ValidParameter(uint8_t parameter);

// The base for a filter whose `num_keys` keys are spread over `num_lines`
// lines. The bits per key that were requested don't matter. REQUIRES:
// num_lines > 0.
uint8_t ChooseParameter(double bits_per_key, size_t num_keys,
                        uint32_t num_lines);

// The part of all absent keys of a line that pass, by its header: 2^-r for r
// full columns, and half of that for the keys that the partial column is asked
// for. 1 for a line that was not solved.
double LineFpRate(const uint8_t* line, uint8_t parameter);

// Fills the lines so that each of the hashes passes; reorders the hashes. The
// bytes depend on the set of hashes, the parameter, the effort (seeds tried for
// each line and number of rows, 1 to 8) and nothing else. Memory besides the
// arguments: less than 1 MiB. REQUIRES: `lines` points at num_lines * 64 bytes;
// num_lines > 0.
void Build(HashList& hashes, uint8_t parameter, int effort, uint8_t* lines,
           uint32_t num_lines);

// What lookups in lines of `line_bytes` need, for a valid parameter.
LineContext ContextFor(uint8_t parameter, uint32_t line_bytes);

extern const ProbeKernels kKernels;

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
