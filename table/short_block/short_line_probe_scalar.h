// Lookups in a short line without vectors, for the kernels that work so: the
// compiler finds a word's parity in each as its instruction set allows.

#ifndef ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_SCALAR_H_
#define ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_SCALAR_H_

#include <cstdint>

#include "table/bloom/blocked_bloom.h"
#include "table/ribbon/ribbon_line.h"
#include "table/short_block/short_line_probe.h"

#define ONELINE_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace oneline {

// The lesser of two numbers below 2^31. Without a branch, which compilers make
// of std::min here: it would go either way.
ONELINE_ALWAYS_INLINE uint32_t Lesser(uint32_t a, uint32_t b) {
  const auto over = static_cast<int32_t>(a - b);
  return b + static_cast<uint32_t>(over & (over >> 31));
}

// A key's windows in columns of so many rows.
struct ColumnWindow {
  uint32_t start;
  uint64_t coefficients;
};

// REQUIRES: rows >= 1.
ONELINE_ALWAYS_INLINE ColumnWindow WindowIn(uint32_t rows, uint64_t seeded) {
  using namespace blocked_ribbon;
  const uint32_t window_rows = Lesser(rows, kWindowRows);
  return {Place(seeded) * (rows - window_rows + 1) >> 8,
          (seeded | 1) & ~uint64_t{0} >> (64 - window_rows)};
}

// The parity of the window that begins at bit `position`; meaningless, but no
// more, past the line's end. Windows lie within the line, so its last eight
// bytes hold the last of them.
ONELINE_ALWAYS_INLINE uint64_t WindowParity(ShortLine line, uint32_t position,
                                            uint64_t coefficients) {
  const uint32_t byte = Lesser(position / 8, line.num_bytes - 8);
  const uint64_t window =
      blocked_ribbon::LoadLittleEndian64(line.bytes + byte) >>
      ((position - 8 * byte) & 63);
  return static_cast<uint64_t>(__builtin_parityll(window & coefficients));
}

// Bit j: the parity in the j-th of kColumns columns, of which the first one's
// window begins at `position`.
template <uint32_t kColumns>
ONELINE_ALWAYS_INLINE uint64_t Parities(ShortLine line, uint32_t position,
                                        uint32_t rows, uint64_t coefficients) {
  uint64_t parities = 0;
#pragma GCC unroll 8
  for (uint32_t j = 0; j < kColumns; ++j, position += rows) {
    parities |= WindowParity(line, position, coefficients) << j;
  }
  return parities;
}

ONELINE_ALWAYS_INLINE bool RibbonMatches(ShortLine line, uint64_t hash,
                                         uint8_t base) {
  using namespace blocked_ribbon;
  const Header header = DecodeHeader(line.bytes);
  const uint32_t rows = base + header.rows_over_base;
  if (header.rows_over_base == kUnsolved) return true;
  if (rows == 0) return false;
  const uint64_t seeded = Seeded(CoefficientBits(hash), header.seed);
  const uint64_t fingerprint_bits = FingerprintBits(hash);
  const ColumnWindow window = WindowIn(rows, seeded);
  const uint32_t full = FullColumns(rows, 8 * line.num_bytes);
  const uint64_t asked = (uint64_t{1} << full) - 1;
  const uint32_t first = kHeaderBits + window.start;
  // Nearly all absent keys leave here. What follows goes by eight, so that it
  // takes as many turns for most lines of a filter.
  const uint64_t four = Parities<4>(line, first, rows, window.coefficients);
  if (((four ^ fingerprint_bits) & asked & 15) != 0) return false;
  for (uint32_t column = 4; column < full; column += 8) {
    const uint64_t eight =
        Parities<8>(line, first + column * rows, rows, window.coefficients);
    const uint64_t differs = eight ^ fingerprint_bits >> column;
    if ((differs & asked >> column & 255) != 0) return false;
  }
  const uint32_t partial_rows = PartialRows(rows, 8 * line.num_bytes);
  if (partial_rows == 0) return true;
  const ColumnWindow last = WindowIn(partial_rows, seeded);
  const uint64_t parity = WindowParity(
      line, kHeaderBits + full * rows + last.start, last.coefficients);
  const uint64_t reached =
      Reaches(Group(fingerprint_bits), header.reach, rows, partial_rows);
  return ((parity ^ fingerprint_bits >> full) & reached & 1) == 0;
}

// A branch for each probe would often go the unexpected way; one for every four
// spares absent keys most probes of a filter that has many.
ONELINE_ALWAYS_INLINE bool BloomMatches(ShortLine line, uint64_t hash,
                                        uint8_t num_probes) {
  uint32_t found = 1, probes = 0;
  blocked_bloom::ForEachProbe(
      hash, num_probes,
      [&](uint32_t bit) {
        found &= static_cast<uint32_t>(line.bytes[bit / 8]) >> (bit % 8);
        return (++probes & 3) != 0 || (found & 1) != 0;
      },
      8 * line.num_bytes);
  return (found & 1) != 0;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_BLOCK_SHORT_LINE_PROBE_SCALAR_H_
