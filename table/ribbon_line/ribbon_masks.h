// What lookups in lines of one base and length need, worked out in advance: for
// each header a row, and for each window the bits of the product to compare.
//
//   rows[header & 255]
//       {mask of coefficients, first window, number of windows, bound of the
//        places that the partial column reaches}
//   masks()[2 * (first window + window) + reached]
//       512 bits: those of the full columns, and, if the partial column reaches
//       the key, its bit
//
// Rows of lines that could not be solved, or of no rows at all, have no bits to
// compare: their lines answer "maybe".

#ifndef ONELINE_TABLE_RIBBON_LINE_RIBBON_MASKS_H_
#define ONELINE_TABLE_RIBBON_LINE_RIBBON_MASKS_H_

#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/simd/lookups.h"

namespace oneline {
namespace blocked_ribbon {

struct RibbonMasks {
  struct Row {
    uint64_t coefficient_mask;
    uint32_t first_window;
    uint8_t num_windows;  // 0 for lines that answer "maybe"
    // The bound of the places that the partial column reaches: the keys of the
    // windows before this one, and of its keys those of the groups before this.
    uint8_t bound_window;
    uint8_t bound_group;

    uint32_t reach_bound() const { return Place(bound_window, bound_group); }
  };
  struct alignas(kLineBytes) Mask {
    uint64_t words[kLineBytes / 8];
  };

  // A line's row, by the lower 8 bits of its header: w - base and d.
  alignas(kLineBytes) Row rows[256];

  // As many as the rows need. They follow this object in its memory.
  const Mask* masks() const { return reinterpret_cast<const Mask*>(this + 1); }

  // The row of lines with this header. One shift of all its bits: compilers
  // shift the index twice.
  const Row& RowOf(uint32_t header_bits) const {
    static_assert(sizeof(Row) == 16 && sizeof(rows) == 0x1000);
    return *reinterpret_cast<const Row*>(reinterpret_cast<const char*>(rows) +
                                         (header_bits << 4 & 0xff0));
  }

  // The mask of a key in a line of that row. How many windows are reached
  // follows from the hash, while the window itself waits for the line's header;
  // then one subtraction with a borrow tells whether this one is.
  const Mask& MaskFor(const Row& row, uint64_t seeded, uint64_t hash) const {
    const uint64_t windows_reached =
        uint64_t{row.bound_window} +
        (static_cast<uint8_t>(hash) < row.bound_group ? 1 : 0);
    const uint64_t window = WindowOf(seeded, row.num_windows);
    const uint64_t reached = (window - windows_reached) >> 63;
    return masks()[2 * (row.first_window + window) + reached];
  }
};

// The table for a base, and lines of that many bytes. Made when first asked for
// and kept as long as the process: 15 to 115 KiB. Thread-safe.
// REQUIRES: base a multiple of kBaseStep up to kMaxBase; line_bytes in 8..64.
const RibbonMasks& RibbonMasksFor(uint32_t base,
                                  uint32_t line_bytes = kLineBytes);

// The same for lookups in bytes that anybody may have written: a table with
// which every line answers "maybe", if there is no memory for a new one, or if
// it would be one for lines of less than 64 bytes and there are kMaxShortTables
// of these. So crafted filters can't take more than 54 MiB for ever.
inline constexpr uint32_t kMaxShortTables = 512;
const RibbonMasks& FindRibbonMasks(uint32_t base, uint32_t line_bytes);

// What every kernel has before the product, from a line's header and a key's
// hash.
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
  const RibbonMasks& table = *context.masks;
  const uint32_t header = HeaderBits(line);
  const RibbonMasks::Row& row = table.RowOf(header);
  const uint64_t mix = LineMix(hash);
  const uint64_t seeded = Seeded(mix, header);
  return {mix, seeded & row.coefficient_mask,
          table.MaskFor(row, seeded, hash).words};
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_LINE_RIBBON_MASKS_H_
