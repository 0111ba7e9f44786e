// One line of kind 2, the blocked Ribbon: its bits, and the parts of a key's
// hash that address them.
//
// A line holds w rows of up to 32 bits, stored column by column, so that a
// key's equation in a column lies in one window of at most 56 neighbouring
// bits:
//
//   bit 0      6   9  11          11+w        11+2w               511
//     | w-base | s | d | column 0 | column 1 | ... | partial column |
//
//   w - base   base is the filter's parameter; 63: the line was not solved and
//              answers "maybe"
//   s          which of 8 rotations the coefficients have
//   d          how many of the keys the partial column answers for
//   column j   begins at bit 11 + j*w, j in 0..31, and has w rows, or those
//              that are left up to bit 511. A column with fewer than w is the
//              partial one; one that would begin at 512 or later is absent
//
//   bit i of a line = bit (i % 8) of byte i / 8
//
// A key matches if in each column j
//
//   parity(window AND coefficients) == bit j of its fingerprint
//
// where the partial column, of v rows, is asked only if
// (group + 40 - 16*d) * w < 256*v. A line of no rows (w = 0) matches no key.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_LINE_H_
#define ONELINE_TABLE_RIBBON_RIBBON_LINE_H_

#include <array>
#include <cstdint>
#include <cstring>

#include "table/hash/key_hash.h"

namespace oneline {
namespace blocked_ribbon {

inline constexpr uint32_t kHeaderBits = 11;
inline constexpr uint32_t kDataBits = kLineBits - kHeaderBits;
// The first field of the header of a line that could not be solved.
inline constexpr uint32_t kUnsolved = 63;
// Rows of a window. At any bit position, 57 bits lie within 8 bytes, so that
// one load fetches them; 56 leave a whole byte of the coefficients for the
// window's place.
inline constexpr uint32_t kWindowRows = 56;
inline constexpr uint32_t kMaxColumns = 32;
inline constexpr uint32_t kMaxSeeds = 8;
// The reaches of the partial column that a header can say.
inline constexpr uint32_t kReaches = 4;
// The largest w of a line: the largest base and the largest difference that is
// not "unsolved".
inline constexpr uint32_t kMaxRows = 255 + kUnsolved - 1;

struct Header {
  uint32_t rows_over_base;
  uint32_t seed;
  uint32_t reach;
};

inline Header DecodeHeader(const uint8_t* line) {
  const uint32_t bits = line[0] | uint32_t{line[1]} << 8;
  return {bits & 63, bits >> 6 & 7, bits >> 9 & 3};
}

inline uint32_t EncodeHeader(const Header& header) {
  return header.rows_over_base | header.seed << 6 | header.reach << 9;
}

// Columns of `rows` rows that a line has room for. Lines of short blocks may
// have fewer bits than others. REQUIRES: rows >= 1; line_bits > kHeaderBits.
constexpr uint32_t FullColumns(uint32_t rows, uint32_t line_bits = kLineBits) {
  const uint32_t columns = (line_bits - kHeaderBits) / rows;
  return columns < kMaxColumns ? columns : kMaxColumns;
}

// The rows left for the partial column; 0: there is none. REQUIRES: as above.
constexpr uint32_t PartialRows(uint32_t rows, uint32_t line_bits = kLineBits) {
  const uint32_t full = FullColumns(rows, line_bits);
  return full < kMaxColumns ? line_bits - kHeaderBits - full * rows : 0;
}

// The multipliers are the first 64 fractional bits of the golden ratio and of
// pi, both odd as they stand: numbers that hide no choice of ours, with no
// simple ratio between them.
inline constexpr uint64_t kGoldenRatioFraction = 0x9e3779b97f4a7c15;
inline constexpr uint64_t kPiFraction = 0x243f6a8885a308d3;

// Both halves of a product, folded into one. Carries make that non-linear over
// GF(2), so that what two multipliers give of the same hash are independent: a
// fingerprint that were a linear function of the coefficients would make the
// solutions of many keys the same.
inline uint64_t FoldedProduct(uint64_t hash, uint64_t multiplier) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(hash) * multiplier;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// 64 bits of which a seed's rotation gives the coefficients.
inline uint64_t CoefficientBits(uint64_t hash) {
  return FoldedProduct(hash, kGoldenRatioFraction);
}

// Fingerprint and group: bits 0..31 and 32..39.
inline uint64_t FingerprintBits(uint64_t hash) {
  return FoldedProduct(hash, kPiFraction);
}
inline uint32_t Group(uint64_t fingerprint_bits) {
  return fingerprint_bits >> 32 & 255;
}

inline uint64_t RotateLeft(uint64_t bits, uint32_t by) {
  return bits << (by & 63) | bits >> (-by & 63);
}

// What a seed makes of the coefficient bits: the lower 56 are coefficients, the
// upper 8 say where the window begins.
inline uint64_t Seeded(uint64_t coefficient_bits, uint32_t seed) {
  return RotateLeft(coefficient_bits, 8 * seed);
}

// The coefficients before they are cut to a column's rows. The lowest is always
// set, so no equation is empty.
inline uint64_t Coefficients(uint64_t seeded) {
  return (seeded & ((uint64_t{1} << kWindowRows) - 1)) | 1;
}

// The rows that a window of a column of `rows` rows has. REQUIRES: rows >= 1.
inline uint64_t RowMask(uint32_t rows) {
  return ~uint64_t{0} >> (64 - (rows < kWindowRows ? rows : kWindowRows));
}

// The place of a window between a column's ends, 0 to 255, by the upper 8 of
// the seeded bits. Each end has 15 of the 256 to itself: without more keys
// there than elsewhere, too few would begin in a column's first rows or end in
// its last, and these rows would be lost. A table, as it is in the cache and
// saves the two comparisons.
inline constexpr int kPlaceStretch = 284;  // in 256ths
inline constexpr int kPlaceCut = 14;
constexpr std::array<uint8_t, 256> MakePlaces() {
  std::array<uint8_t, 256> places{};
  for (int i = 0; i < 256; ++i) {
    const int place = (i * kPlaceStretch >> 8) - kPlaceCut;
    places[static_cast<size_t>(i)] =
        static_cast<uint8_t>(place < 0     ? 0
                             : place > 255 ? 255
                                           : place);
  }
  return places;
}
inline constexpr std::array<uint8_t, 256> kPlaces = MakePlaces();

inline uint32_t Place(uint64_t seeded) { return kPlaces[seeded >> 56]; }

// First row of a key's window in a column of `rows` rows. Without a branch, 0
// for up to 56 rows.
inline uint32_t WindowStart(uint32_t place, uint32_t rows) {
  return place * (rows - (rows < kWindowRows ? rows : kWindowRows) + 1) >> 8;
}

// Whether a key has an equation in the partial column of `partial_rows` rows.
// The reach d moves the bound in steps of a sixteenth about partial_rows /
// rows, the share of the keys that the column can be expected to take.
inline bool Reaches(uint32_t group, uint32_t reach, uint32_t rows,
                    uint32_t partial_rows) {
  return static_cast<int32_t>(group + 40 - 16 * reach) *
             static_cast<int32_t>(rows) <
         static_cast<int32_t>(256 * partial_rows);
}

inline uint64_t LoadLittleEndian64(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

inline void StoreLittleEndian64(uint64_t word, uint8_t* bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  std::memcpy(bytes, &word, sizeof(word));
}

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_RIBBON_LINE_H_
