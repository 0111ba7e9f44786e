// A lookup in a line of the blocked Ribbon, one column at a time: for the
// kernels that work so. They differ in how they find a word's parity:
// Parity::Of(word) has it in bit 0 and anything in the others.
//
// In two parts: the first four columns, after which 15 of 16 absent keys are
// done, and the rest. A kernel compiles the rest as a function of its own,
// which starts anew from the key's hash: so it costs the lookups that don't
// come there nothing.
//
// always_inline, so that the code takes on the instruction set of the kernel's
// function that it ends up in.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_PROBE_SCALAR_H_
#define ONELINE_TABLE_RIBBON_RIBBON_PROBE_SCALAR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "table/hash/key_hash.h"
#include "table/ribbon/ribbon_line.h"
#include "table/simd/prefetch.h"
#include "table/simd/probe.h"

#define ONELINE_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace oneline {
namespace blocked_ribbon {

// A key, seen from a line.
struct Query {
  uint64_t seeded;
  uint64_t coefficients;  // cut to the line's rows
  uint64_t fingerprint_bits;
  uint32_t rows;
  uint32_t start;
  Header header;
};

// The window of a line that begins at bit `position`, in the lowest bits of the
// result. REQUIRES: position <= 8 * 56 + 7.
ONELINE_ALWAYS_INLINE uint64_t Window(const uint8_t* line, uint32_t position) {
  return LoadLittleEndian64(line + position / 8) >> (position % 8);
}

// The same for any position; meaningless, but no more, past the line's end.
// Without a branch, which compilers make of std::min here: it would go either
// way.
ONELINE_ALWAYS_INLINE uint64_t ClampedWindow(const uint8_t* line,
                                             uint32_t position) {
  constexpr int32_t kLastLoad = kLineBytes - 8;
  const int32_t over = static_cast<int32_t>(position / 8) - kLastLoad;
  const auto byte = static_cast<uint32_t>(kLastLoad + (over & (over >> 31)));
  return LoadLittleEndian64(line + byte) >> ((position - 8 * byte) & 63);
}

ONELINE_ALWAYS_INLINE Query MakeQuery(const uint8_t* line, uint64_t hash,
                                      uint8_t parameter) {
  Query q;
  q.header = DecodeHeader(line);
  q.rows = parameter + q.header.rows_over_base;
  q.seeded = Seeded(CoefficientBits(hash), q.header.seed);
  q.fingerprint_bits = FingerprintBits(hash);
  q.coefficients = Coefficients(q.seeded) & RowMask(std::max(q.rows, 1u));
  q.start = WindowStart(Place(q.seeded), q.rows);
  return q;
}

// Whether one of the first four columns, as far as there are as many, says that
// the key is absent. Means nothing for a line without rows.
template <typename Parity>
ONELINE_ALWAYS_INLINE bool DiffersInFirstFour(const uint8_t* line,
                                              const Query& q) {
  // Up to so many rows, the windows of four columns begin in bytes from which
  // eight can be loaded: so it is in nearly all lines from 4.2 bits per key on.
  constexpr uint32_t kRows =
      (8 * (kLineBytes - 8) + 7 - kHeaderBits + kWindowRows) / 4;
  uint64_t differs = 0;
  uint32_t end = kHeaderBits;
  if (__builtin_expect(q.rows <= kRows, 1)) {
#pragma GCC unroll 4
    for (uint32_t column = 0; column < 4; ++column, end += q.rows) {
      differs |= Parity::Of(Window(line, end + q.start) & q.coefficients) ^
                 q.fingerprint_bits >> column;
    }
    return (differs & 1) != 0;
  }
  for (uint32_t column = 0; column < 4; ++column) {
    const uint32_t begin = end;
    end += q.rows;
    if (end > kLineBits) break;
    differs |=
        Parity::Of(ClampedWindow(line, begin + q.start) & q.coefficients) ^
        q.fingerprint_bits >> column;
  }
  return (differs & 1) != 0;
}

// The answer for a key that is in accord with the first four columns.
template <typename Parity>
ONELINE_ALWAYS_INLINE bool MatchesRest(const uint8_t* line, uint64_t hash,
                                       uint8_t parameter) {
  const Query q = MakeQuery(line, hash, parameter);
  if (q.rows == 0) return false;
  if (q.header.rows_over_base == kUnsolved) return true;
  const uint32_t full = FullColumns(q.rows);
  uint64_t differs = 0;
  uint32_t position = kHeaderBits + 4 * q.rows + q.start;
  for (uint32_t column = 4; column < full; ++column, position += q.rows) {
    differs |= Parity::Of(ClampedWindow(line, position) & q.coefficients) ^
               q.fingerprint_bits >> column;
  }
  // The partial column, if there is one, at the line's end.
  const uint32_t partial_rows = PartialRows(q.rows);
  const bool asked =
      (partial_rows != 0) &
      Reaches(Group(q.fingerprint_bits), q.header.reach, q.rows, partial_rows);
  const uint64_t partial_differs =
      Parity::Of(
          ClampedWindow(line, kLineBits - partial_rows +
                                  WindowStart(Place(q.seeded), partial_rows)) &
          Coefficients(q.seeded) & RowMask(std::max(partial_rows, 1u))) ^
      q.fingerprint_bits >> full;
  return ((differs | (partial_differs & (asked ? 1 : 0))) & 1) == 0;
}

// Rest: the kernel's function around MatchesRest.
using RestOfLine = bool (*)(const uint8_t* line, uint64_t hash,
                            uint8_t parameter);

template <typename Parity, RestOfLine Rest>
ONELINE_ALWAYS_INLINE bool ProbeOne(const uint8_t* line, uint64_t hash,
                                    uint8_t parameter) {
  const Query q = MakeQuery(line, hash, parameter);
  if (__builtin_expect(DiffersInFirstFour<Parity>(line, q), 1)) {
    return q.header.rows_over_base == kUnsolved;
  }
  return Rest(line, hash, parameter);
}

// In two passes: a key that goes on to the rest would hold up the lookups after
// it, whose first four columns could be read in the meantime.
template <typename Parity, RestOfLine Rest>
ONELINE_ALWAYS_INLINE void ProbeBatch(const uint8_t* lines, uint32_t num_lines,
                                      const uint64_t* hashes, size_t n,
                                      uint8_t parameter, bool* may_match) {
  const uint8_t* line[kBatchKeys];
  uint8_t left[kBatchKeys];
  for (size_t m; n > 0; n -= m, hashes += m, may_match += m) {
    m = PrefetchLines(lines, num_lines, hashes, n, line);
    size_t num_left = 0;
    for (size_t i = 0; i < m; ++i) {
      const Query q = MakeQuery(line[i], hashes[i], parameter);
      may_match[i] = q.header.rows_over_base == kUnsolved;
      left[num_left] = static_cast<uint8_t>(i);
      num_left += DiffersInFirstFour<Parity>(line[i], q) ? 0 : 1;
    }
    for (size_t j = 0; j < num_left; ++j) {
      const size_t i = left[j];
      may_match[i] = Rest(line[i], hashes[i], parameter);
    }
  }
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_PROBE_SCALAR_H_
