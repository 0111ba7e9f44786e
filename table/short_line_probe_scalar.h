// Lookups in a short line without vectors, for the kernels that work so: the
// compiler finds a word's parity in each as its instruction set allows.

#ifndef ONELINE_TABLE_SHORT_LINE_PROBE_SCALAR_H_
#define ONELINE_TABLE_SHORT_LINE_PROBE_SCALAR_H_

#include <algorithm>
#include <cstdint>

#include "table/blocked_bloom.h"
#include "table/ribbon_line.h"
#include "table/short_line_probe.h"

#define ONELINE_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace oneline {

// The parity of a column's window that begins at bit `position`. A window lies
// within the line, so the line's last eight bytes hold the last windows.
ONELINE_ALWAYS_INLINE uint32_t WindowParity(ShortLine line, uint32_t position,
                                            uint64_t coefficients) {
  const uint32_t byte = std::min(position / 8, line.num_bytes - 8);
  const uint64_t window =
      blocked_ribbon::LoadLittleEndian64(line.bytes + byte) >>
      ((position - 8 * byte) & 63);
  return static_cast<uint32_t>(__builtin_parityll(window & coefficients));
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
  const uint64_t coefficients = Coefficients(seeded) & RowMask(rows);
  const uint32_t full = FullColumns(rows, 8 * line.num_bytes);
  uint32_t position = kHeaderBits + WindowStart(Place(seeded), rows);
  uint64_t differs = 0;
  for (uint32_t column = 0; column < full; ++column, position += rows) {
    // Nearly all absent keys leave here.
    if (column == 4 && (differs & 1) != 0) return false;
    differs |=
        WindowParity(line, position, coefficients) ^ fingerprint_bits >> column;
  }
  if ((differs & 1) != 0) return false;
  const uint32_t partial_rows = PartialRows(rows, 8 * line.num_bytes);
  if (partial_rows == 0 ||
      !Reaches(Group(fingerprint_bits), header.reach, rows, partial_rows)) {
    return true;
  }
  position =
      kHeaderBits + full * rows + WindowStart(Place(seeded), partial_rows);
  const uint32_t parity = WindowParity(
      line, position, Coefficients(seeded) & RowMask(partial_rows));
  return parity == (fingerprint_bits >> full & 1);
}

// Without a branch for each probe: it would often go the unexpected way.
ONELINE_ALWAYS_INLINE bool BloomMatches(ShortLine line, uint64_t hash,
                                        uint8_t num_probes) {
  uint32_t found = 1;
  blocked_bloom::ForEachProbe(
      hash, num_probes,
      [&](uint32_t bit) {
        found &= static_cast<uint32_t>(line.bytes[bit / 8]) >> (bit % 8);
        return true;
      },
      8 * line.num_bytes);
  return found != 0;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_LINE_PROBE_SCALAR_H_
