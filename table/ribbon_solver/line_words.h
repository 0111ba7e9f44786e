// The bits of a line while it is made.

#ifndef ONELINE_TABLE_RIBBON_SOLVER_LINE_WORDS_H_
#define ONELINE_TABLE_RIBBON_SOLVER_LINE_WORDS_H_

#include <array>
#include <cstdint>
#include <cstring>

#include "table/hash/key_hash.h"
#include "table/hash/little_endian.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_solver/equations.h"

namespace oneline {
namespace blocked_ribbon {

// Bit i of a line, moved to the end of 512 bits, is bit i % 64 of word i / 64.
using LineWords = std::array<uint64_t, kLineBytes / 8>;

// ORs 64 rows of a column, row m as bit 63 - m, into the line, downwards from
// bit `position`. Those that are not there are 0.
inline void PutRows(uint64_t downwards, uint32_t position, LineWords* words) {
  const uint32_t shift = 63 - position % 64;
  (*words)[position / 64] |= downwards >> shift;
  if (shift != 0 && position >= 64) {
    (*words)[position / 64 - 1] |= downwards << (64 - shift);
  }
}

// Writes the line, with its header, to layout.line_bits bits.
inline void WriteLine(const LineWords& words, const Layout& layout,
                      uint8_t* line) {
  uint8_t bytes[kLineBytes];
  for (uint32_t i = 0; i < kLineBytes / 8; ++i) {
    PutLittleEndian(words[i], bytes + 8 * i);
  }
  const uint32_t line_bytes = layout.line_bits / 8;
  uint8_t* const first = bytes + (kLineBytes - line_bytes);
  const uint32_t header = layout.header();
  first[0] |= static_cast<uint8_t>(header);
  first[1] |= static_cast<uint8_t>(header >> 8);
  std::memcpy(line, first, line_bytes);
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_SOLVER_LINE_WORDS_H_
