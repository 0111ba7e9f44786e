// The AVX-512 kernel of short lines: the line in one register, eight columns of
// the Ribbon at once.

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/ribbon/ribbon_line.h"
#include "table/short_block/short_line_probe_scalar.h"

#define ONELINE_AVX512                                                        \
  __attribute__((                                                             \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq," \
             "bmi,bmi2,popcnt")))

namespace oneline {
namespace {

using namespace blocked_ribbon;

ONELINE_AVX512 inline __m512i InEachLane(uint64_t value) {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}

// Bit j: the parity of lane j's window. positions: the windows' first bits.
ONELINE_AVX512 inline uint32_t Parities(__m512i line, __m512i positions,
                                        __m512i coefficients) {
  // Each lane's first byte, in all its bytes, plus 0..7.
  const __m512i spread = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
  const __m512i index = _mm512_add_epi8(
      _mm512_shuffle_epi8(_mm512_srli_epi64(positions, 3), spread),
      InEachLane(0x0706050403020100));
  const __m512i windows =
      _mm512_srlv_epi64(_mm512_permutexvar_epi8(index, line),
                        _mm512_and_si512(positions, InEachLane(7)));
  const __m512i counts =
      _mm512_popcnt_epi64(_mm512_and_si512(windows, coefficients));
  return _mm512_movepi64_mask(_mm512_slli_epi64(counts, 63));
}

struct Query {
  __m512i line;
  uint32_t line_bits;
  uint32_t rows;
  uint64_t seeded;
  uint64_t fingerprint_bits;
};

// The first eight columns, as far as they are full: a bit for each of those
// that differ. *num_full: how many there are.
ONELINE_AVX512 inline uint32_t HeadDifferences(const Query& q,
                                               uint32_t* num_full) {
  const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i columns = _mm512_mul_epu32(lanes, InEachLane(q.rows));
  const uint32_t full = _mm512_cmple_epi64_mask(
      columns, InEachLane(uint64_t{q.line_bits} - kHeaderBits - q.rows));
  const uint32_t start = WindowStart(Place(q.seeded), q.rows);
  const uint32_t parities = Parities(
      q.line, _mm512_add_epi64(columns, InEachLane(kHeaderBits + start)),
      InEachLane(_bzhi_u64(q.seeded | 1,
                           q.rows < kWindowRows ? q.rows : kWindowRows)));
  *num_full = static_cast<uint32_t>(__builtin_popcount(full));
  return (parities ^ static_cast<uint32_t>(q.fingerprint_bits)) & full;
}

// Whether all columns from `first` on agree, which is that of the partial
// column or one before it. A column's number of rows decides where its windows
// begin and how long they are, so the partial column, which has fewer, is a
// lane like the others.
ONELINE_AVX512 inline bool MatchesRest(const Query& q, uint32_t reach_of_line,
                                       uint32_t first) {
  const __m512i all_rows = InEachLane(q.rows);
  const __m512i place = InEachLane(Place(q.seeded));
  // As in Reaches, the side that is the same for every column.
  const __m512i reach = InEachLane((uint64_t{Group(q.fingerprint_bits)} + 40 -
                                    16 * uint64_t{reach_of_line}) *
                                   q.rows);
  // From a column's first bit to the line's end; from 0 on down: none.
  __m512i bits_left = _mm512_sub_epi64(
      InEachLane(uint64_t{q.line_bits} - kHeaderBits - first * q.rows),
      _mm512_mul_epu32(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), all_rows));
  auto expected = static_cast<uint32_t>(q.fingerprint_bits) >> first;
  uint32_t numbered = ~uint32_t{0} >> first;  // the columns that may exist
  while (numbered != 0) {
    const __m512i rows = _mm512_min_epi64(bits_left, all_rows);
    const uint32_t full = _mm512_cmpeq_epi64_mask(rows, all_rows);
    const uint32_t reached = _mm512_mask_cmplt_epi64_mask(
        _mm512_cmpgt_epi64_mask(bits_left, _mm512_setzero_si512()), reach,
        _mm512_slli_epi64(rows, 8));
    const __m512i window = _mm512_min_epi64(rows, InEachLane(kWindowRows));
    const __m512i num_starts =
        _mm512_sub_epi64(rows, _mm512_sub_epi64(window, InEachLane(1)));
    const __m512i start =
        _mm512_srli_epi64(_mm512_mul_epu32(place, num_starts), 8);
    const __m512i column = _mm512_sub_epi64(InEachLane(q.line_bits), bits_left);
    const __m512i window_mask = _mm512_srlv_epi64(
        InEachLane(~uint64_t{0}), _mm512_sub_epi64(InEachLane(64), window));
    const uint32_t parities =
        Parities(q.line, _mm512_add_epi64(column, start),
                 _mm512_and_si512(InEachLane(q.seeded | 1), window_mask));
    const uint32_t asked = (full | reached) & numbered;
    if (((parities ^ expected) & asked) != 0) return false;
    if (full != 0xff) return true;
    expected >>= 8;
    numbered >>= 8;
    bits_left = _mm512_sub_epi64(bits_left, _mm512_slli_epi64(all_rows, 3));
  }
  return true;
}

ONELINE_AVX512 bool Ribbon(ShortLine line, uint64_t hash, uint8_t base) {
  const Header header = DecodeHeader(line.bytes);
  const uint32_t rows = base + header.rows_over_base;
  if (header.rows_over_base == kUnsolved) return true;
  if (rows == 0) return false;
  const Query q = {_mm512_maskz_loadu_epi8(
                       _bzhi_u64(~uint64_t{0}, line.num_bytes), line.bytes),
                   8 * line.num_bytes, rows,
                   Seeded(CoefficientBits(hash), header.seed),
                   FingerprintBits(hash)};
  uint32_t num_full;
  if (__builtin_expect(HeadDifferences(q, &num_full) != 0, 1)) return false;
  return MatchesRest(q, header.reach, num_full);
}

ONELINE_AVX512 bool Bloom(ShortLine line, uint64_t hash, uint8_t num_probes) {
  return BloomMatches(line, hash, num_probes);
}

}  // namespace

constexpr ShortLineKernel kAvx512ShortLineKernel = {&Ribbon, &Bloom};

}  // namespace oneline

#endif  // defined(__x86_64__)
