// What every kernel of the blocked Ribbon does before the product: from a
// line's header and a key's hash to the coefficients, the expected bits and the
// mask.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_QUERY_H_
#define ONELINE_TABLE_RIBBON_RIBBON_QUERY_H_

#include <cstdint>

#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_ribbon {

struct Query {
  uint64_t mix;
  uint64_t coefficients;
  const uint64_t* mask;  // 8 words, aligned to 64 bytes
};

// `line`: of any length, with its header in the first two bytes.
// Always inlined, so that it is compiled for the instruction set of its caller.
__attribute__((always_inline)) inline Query MakeQuery(const uint8_t* line,
                                                      uint64_t hash,
                                                      LineContext context) {
  const auto& table = *static_cast<const RibbonMasks*>(context.table);
  const uint32_t header = HeaderBits(line);
  const RibbonMasks::Row& row = table.rows[header & 255];
  const uint64_t mix = LineMix(hash);
  const uint64_t seeded = Seeded(mix, header);
  return {mix, seeded & row.coefficient_mask,
          table.MaskFor(row, seeded, hash).words};
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_QUERY_H_
