// A lookup in a line of the blocked Ribbon, one column at a time: for the
// kernels that work so. They differ in how they find a word's parity.
//
// always_inline, so that the code takes on the instruction set of the kernel's
// function that it ends up in.

#ifndef ONELINE_TABLE_RIBBON_PROBE_SCALAR_H_
#define ONELINE_TABLE_RIBBON_PROBE_SCALAR_H_

#include <algorithm>
#include <cstdint>

#include "table/key_hash.h"
#include "table/ribbon_line.h"

#define ONELINE_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace oneline {
namespace blocked_ribbon {

struct Query {
  uint64_t coefficients;
  uint64_t fingerprint_bits;
  uint32_t rows;
  uint32_t place;
  uint32_t start;
  uint32_t reach;
};

// Bit 0: the parity of the window at bit `position`; meaningless, but no more,
// where that is past the line's end. Parity::Of(word) has the word's parity in
// bit 0 and anything in the others.
template <typename Parity>
ONELINE_ALWAYS_INLINE uint64_t WindowParity(const uint8_t* line,
                                            uint32_t position,
                                            uint64_t coefficients) {
  constexpr uint32_t kLastLoad = kLineBytes - 8;
  const uint32_t byte = std::min(position / 8, kLastLoad);
  const uint64_t window =
      LoadLittleEndian64(line + byte) >> ((position - 8 * byte) & 63);
  return Parity::Of(window & coefficients);
}

template <typename Parity>
ONELINE_ALWAYS_INLINE bool MatchesPartialColumn(const uint8_t* line,
                                                const Query& q, uint32_t column,
                                                uint32_t position) {
  const uint32_t partial_rows = kLineBits - position;
  if (!Reaches(Group(q.fingerprint_bits), q.reach, q.rows, partial_rows)) {
    return true;
  }
  const uint64_t parity =
      WindowParity<Parity>(line, position + WindowStart(q.place, partial_rows),
                           q.coefficients & RowMask(partial_rows));
  return ((parity ^ q.fingerprint_bits >> column) & 1) == 0;
}

// The columns after the first four.
template <typename Parity>
ONELINE_ALWAYS_INLINE bool MatchesRest(const uint8_t* line, const Query& q) {
  const uint32_t full = FullColumns(q.rows);
  uint32_t column = std::min(full, 4u);
  uint32_t position = kHeaderBits + column * q.rows;
  uint64_t mismatch = 0;
  for (; column < full; ++column, position += q.rows) {
    mismatch |= WindowParity<Parity>(line, position + q.start, q.coefficients) ^
                q.fingerprint_bits >> column;
  }
  if ((mismatch & 1) != 0) return false;
  if (full == kMaxColumns || position == kLineBits) return true;
  return MatchesPartialColumn<Parity>(line, q, full, position);
}

template <typename Parity>
ONELINE_ALWAYS_INLINE bool Probe(const uint8_t* line, uint64_t hash,
                                 uint8_t parameter) {
  const Header header = DecodeHeader(line);
  Query q;
  q.rows = parameter + header.rows_over_base;
  if (q.rows == 0) return false;
  q.reach = header.reach;
  q.fingerprint_bits = FingerprintBits(hash);
  const uint64_t seeded = Seeded(CoefficientBits(hash), header.seed);
  q.coefficients = Coefficients(seeded) & RowMask(q.rows);
  q.place = Place(seeded);
  q.start = WindowStart(q.place, q.rows);
  // Four columns, as far as there are as many, then the one branch that 15 of
  // 16 absent keys take.
  uint64_t mismatch = 0;
  uint32_t end = kHeaderBits;
#pragma GCC unroll 4
  for (uint32_t column = 0; column < 4; ++column) {
    const uint64_t differs =
        WindowParity<Parity>(line, end + q.start, q.coefficients) ^
        q.fingerprint_bits >> column;
    end += q.rows;
    mismatch |= differs & (end <= kLineBits ? 1 : 0);
  }
  if ((mismatch & 1) != 0) return header.rows_over_base == kUnsolved;
  if (header.rows_over_base == kUnsolved) return true;
  return MatchesRest<Parity>(line, q);
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_PROBE_SCALAR_H_
