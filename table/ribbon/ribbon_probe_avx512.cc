// The AVX-512 kernel of the blocked Ribbon. Eight columns at once: a byte
// permute brings their windows into eight lanes, then shift, AND, population
// count.
//
// First the first eight columns. Of a line that lies in two of the processor's
// only those in bytes 0..47: at 16 modulo 64, where one block in four lies
// without an aligning allocator, these are in one of the two, and the columns
// that they hold (7 at 10 bits/key) turn away nearly all absent keys.
#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon/ribbon_line.h"
#include "table/ribbon/ribbon_row_table.h"
#include "table/simd/prefetch.h"

#define ONELINE_AVX512                                                        \
  __attribute__((                                                             \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq," \
             "bmi,bmi2,popcnt")))
#define ONELINE_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace oneline {
namespace blocked_ribbon {
namespace {

ONELINE_AVX512 ONELINE_ALWAYS_INLINE __m512i InEachLane(uint64_t value) {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}

// Bit j: the parity of lane j's window. positions: the windows' first bits.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE uint32_t Parities(__m512i line,
                                                       __m512i positions,
                                                       __m512i coefficients,
                                                       __m512i window_mask) {
  // Each lane's first byte, in all its bytes, plus 0..7.
  const __m512i spread = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
  const __m512i first =
      _mm512_shuffle_epi8(_mm512_srli_epi64(positions, 3), spread);
  const __m512i index =
      _mm512_add_epi8(first, _mm512_set1_epi64(0x0706050403020100));
  const __m512i windows =
      _mm512_srlv_epi64(_mm512_permutexvar_epi8(index, line),
                        _mm512_and_si512(positions, _mm512_set1_epi64(7)));
  constexpr int kAllThree = 0x80;
  const __m512i counts = _mm512_popcnt_epi64(
      _mm512_ternarylogic_epi64(windows, coefficients, window_mask, kAllThree));
  return _cvtmask8_u32(_mm512_test_epi64_mask(counts, InEachLane(1)));
}

// The first bits of eight columns.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE __m512i Begins(uint32_t rows) {
  return _mm512_cvtepu16_epi64(_mm_load_si128(
      reinterpret_cast<const __m128i*>(kRowTable.first[rows].begins.data())));
}

ONELINE_ALWAYS_INLINE uint32_t TablePlace(uint64_t seeded) {
  return kRowTable.places[seeded >> 56];
}

// Bytes 0..47 of a line, then zeros.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE __m512i LoadHead(const uint8_t* line) {
  return _mm512_inserti32x4(
      _mm512_castsi256_si512(
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(line + 32)), 2);
}

// The columns after those that lie in the head, 8 at a time. The partial one is
// a lane like the others, with a window of its own.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE bool MatchesRest(const uint8_t* line_bytes,
                                                      uint64_t seeded,
                                                      uint64_t fingerprint_bits,
                                                      uint32_t rows,
                                                      uint32_t least_rows) {
  const FirstColumns& columns = kRowTable.first[rows];
  const LaterColumns& later = kRowTable.later[rows];
  const __m512i line = _mm512_loadu_si512(line_bytes);
  const uint32_t place = TablePlace(seeded);
  const __m512i start = InEachLane(place * columns.num_starts >> 8);
  const __m512i partial_start = InEachLane(place * later.partial_starts >> 8);
  const __m512i coefficients = InEachLane(seeded | 1);
  // As Reaches, with a side from the table.
  const bool reached =
      static_cast<int32_t>(
          (Group(fingerprint_bits) + 40 - 16 * DecodeHeader(line_bytes).reach) *
          rows) < static_cast<int32_t>(later.partial_bound);
  uint32_t asked = later.asked[reached ? 1 : 0];
  uint32_t expected = static_cast<uint32_t>(fingerprint_bits) >> later.first;
  __m512i begins = _mm512_add_epi64(Begins(rows), InEachLane(later.begin));
  uint32_t mismatches = 0;
  // As many groups as any of the filter's lines may need, so that the branch
  // goes the same way for all of them.
  for (uint32_t groups = kRowTable.later[least_rows].groups;;) {
    const __mmask8 partial =
        _mm512_cmpeq_epi64_mask(begins, InEachLane(later.partial_begin));
    const __m512i positions = _mm512_add_epi64(
        begins, _mm512_mask_mov_epi64(start, partial, partial_start));
    const __m512i window_mask =
        _mm512_mask_mov_epi64(InEachLane(columns.window_mask), partial,
                              InEachLane(later.partial_mask));
    mismatches |=
        (Parities(line, positions, coefficients, window_mask) ^ expected) &
        asked;
    if (--groups == 0) return (mismatches & 255) == 0;
    asked >>= 8;
    expected >>= 8;
    begins =
        _mm512_add_epi64(begins, InEachLane(uint64_t{kLaneColumns} * rows));
  }
}

// Out of line, so that it costs the lookups that end before it no register.
ONELINE_AVX512 __attribute__((noinline)) bool MatchesRestOutOfLine(
    const uint8_t* line, uint64_t seeded, uint64_t fingerprint_bits,
    uint32_t rows, uint32_t least_rows) {
  return MatchesRest(line, seeded, fingerprint_bits, rows, least_rows);
}

// whole_line: read all of it at once, not the head.
template <bool whole_line>
ONELINE_AVX512 ONELINE_ALWAYS_INLINE bool Probe(const uint8_t* line,
                                                uint64_t hash,
                                                uint8_t parameter) {
  // What does not wait for the line comes first: it leaves the compiler more
  // registers for the rest.
  const uint64_t coefficient_bits = CoefficientBits(hash);
  const Header header = DecodeHeader(line);
  const uint32_t rows = parameter + header.rows_over_base;
  const FirstColumns& columns = kRowTable.first[rows];
  const uint64_t seeded = Seeded(coefficient_bits, header.seed);
  const uint64_t fingerprint_bits = FingerprintBits(hash);
  const uint32_t start = TablePlace(seeded) * columns.num_starts >> 8;
  const uint32_t parities =
      Parities(whole_line ? _mm512_loadu_si512(line) : LoadHead(line),
               _mm512_add_epi64(Begins(rows), InEachLane(start)),
               InEachLane(seeded | 1), InEachLane(columns.window_mask));
  const uint32_t differs =
      (parities ^ static_cast<uint32_t>(fingerprint_bits)) &
      (whole_line ? columns.in_line : columns.in_head);
  if (__builtin_expect(differs != 0, 1)) {
    return header.rows_over_base == kUnsolved;
  }
  if (rows == 0) return false;
  if (header.rows_over_base == kUnsolved) return true;
  return MatchesRestOutOfLine(line, seeded, fingerprint_bits, rows, parameter);
}

ONELINE_AVX512 __attribute__((noinline)) bool ProbeHeadFirst(
    const uint8_t* line, uint64_t hash, uint8_t parameter) {
  return Probe<false>(line, hash, parameter);
}

ONELINE_AVX512 bool One(const uint8_t* line, uint64_t hash, uint8_t parameter) {
  const bool aligned = reinterpret_cast<uintptr_t>(line) % kLineBytes == 0;
  if (__builtin_expect(!aligned, 0)) {
    return ProbeHeadFirst(line, hash, parameter);
  }
  return Probe<true>(line, hash, parameter);
}

constexpr size_t kLaneKeys = 8;

// What a batch knows of its keys before it looks at columns.
struct alignas(64) PreparedKeys {
  std::array<uint64_t, kBatchKeys> rows;
  std::array<uint64_t, kBatchKeys> start;
  std::array<uint64_t, kBatchKeys> seeded;  // the lowest coefficient set
  std::array<uint64_t, kBatchKeys> fingerprint_bits;
};

// FoldedProduct of eight hashes, from products of 32 bits by 32.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE __m512i FoldedProducts(__m512i hashes,
                                                            uint64_t by) {
  const __m512i low_mask = InEachLane(0xffffffff);
  const __m512i high_hashes = _mm512_srli_epi64(hashes, 32);
  const __m512i low_by = InEachLane(by & 0xffffffff);
  const __m512i high_by = InEachLane(by >> 32);
  const __m512i low = _mm512_mul_epu32(hashes, low_by);
  const __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(high_hashes, low_by),
                                          _mm512_srli_epi64(low, 32));
  const __m512i other = _mm512_add_epi64(_mm512_mul_epu32(hashes, high_by),
                                         _mm512_and_si512(middle, low_mask));
  const __m512i lower_half = _mm512_or_si512(_mm512_slli_epi64(other, 32),
                                             _mm512_and_si512(low, low_mask));
  const __m512i upper_half =
      _mm512_add_epi64(_mm512_add_epi64(_mm512_mul_epu32(high_hashes, high_by),
                                        _mm512_srli_epi64(middle, 32)),
                       _mm512_srli_epi64(other, 32));
  return _mm512_xor_si512(lower_half, upper_half);
}

// Place of eight keys: by its formula, as a table would need a gather.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE __m512i Places(__m512i seeded) {
  const __m512i stretched =
      _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(seeded, 56),
                                         InEachLane(kPlaceStretch)),
                        8);
  return _mm512_min_epu16(_mm512_subs_epu16(stretched, InEachLane(kPlaceCut)),
                          InEachLane(255));
}

// Keys i .. i + 7 of the batch, those that in_use has: here a lane is a key,
// not a column. Answers "maybe" for lines that were not solved and "no" for
// others.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE void Prepare(
    const uint8_t* const* lines, const uint64_t* hashes, __mmask8 in_use,
    uint8_t parameter, size_t i, PreparedKeys* keys, bool* may_match) {
  const __m512i hash = _mm512_maskz_loadu_epi64(in_use, hashes + i);
  const __m512i header = _mm512_mask_i64gather_epi64(
      _mm512_setzero_si512(), in_use,
      _mm512_maskz_loadu_epi64(in_use, lines + i), nullptr, 1);
  const __m512i rows_over_base =
      _mm512_and_si512(header, InEachLane(kUnsolved));
  const __m512i rows = _mm512_add_epi64(rows_over_base, InEachLane(parameter));
  const __m512i rotation =
      _mm512_and_si512(_mm512_srli_epi64(header, 3), InEachLane(7 * 8));
  const __m512i seeded =
      _mm512_rolv_epi64(FoldedProducts(hash, kGoldenRatioFraction), rotation);
  const __m512i window = _mm512_min_epu64(rows, InEachLane(kWindowRows));
  const __m512i num_starts =
      _mm512_sub_epi64(_mm512_add_epi64(rows, InEachLane(1)), window);
  const __m512i start =
      _mm512_srli_epi64(_mm512_mul_epu32(Places(seeded), num_starts), 8);
  _mm512_store_si512(&keys->rows[i], rows);
  _mm512_store_si512(&keys->start[i], start);
  _mm512_store_si512(&keys->seeded[i], _mm512_or_si512(seeded, InEachLane(1)));
  _mm512_store_si512(&keys->fingerprint_bits[i],
                     FoldedProducts(hash, kPiFraction));
  const __mmask8 unsolved =
      _mm512_cmpeq_epi64_mask(rows_over_base, InEachLane(kUnsolved));
  _mm512_mask_cvtepi64_storeu_epi8(may_match + i, in_use,
                                   _mm512_maskz_set1_epi64(unsolved, 1));
}

// At most kBatchKeys lookups. In passes: where one key in eight passes the
// head, each would stop the overlap of the other lookups.
ONELINE_AVX512 ONELINE_ALWAYS_INLINE void PrefetchedBatch(
    const uint8_t* const* lines, const uint64_t* hashes, size_t n,
    uint8_t parameter, bool* may_match) {
  PreparedKeys keys;
  for (size_t i = 0; i < n; i += kLaneKeys) {
    const size_t m = n - i < kLaneKeys ? n - i : kLaneKeys;
    Prepare(lines, hashes, static_cast<__mmask8>(LowestBits(m)), parameter, i,
            &keys, may_match);
  }
  std::array<uint8_t, kBatchKeys> left;
  size_t num_left = 0;
  for (size_t i = 0; i < n; ++i) {
    const FirstColumns& columns = kRowTable.first[keys.rows[i]];
    const uint32_t parities =
        Parities(LoadHead(lines[i]),
                 _mm512_add_epi64(Begins(static_cast<uint32_t>(keys.rows[i])),
                                  InEachLane(keys.start[i])),
                 InEachLane(keys.seeded[i]), InEachLane(columns.window_mask));
    const uint32_t differs =
        (parities ^ static_cast<uint32_t>(keys.fingerprint_bits[i])) &
        columns.in_head;
    left[num_left] = static_cast<uint8_t>(i);
    num_left += differs == 0 ? 1 : 0;
  }
  for (size_t j = 0; j < num_left; ++j) {
    const size_t i = left[j];
    const auto rows = static_cast<uint32_t>(keys.rows[i]);
    if (rows == 0) continue;     // stays false
    if (may_match[i]) continue;  // not solved: stays true
    may_match[i] = MatchesRest(lines[i], keys.seeded[i],
                               keys.fingerprint_bits[i], rows, parameter);
  }
}

ONELINE_AVX512 void Batch(const uint8_t* lines, uint32_t num_lines,
                          const uint64_t* hashes, size_t n, uint8_t parameter,
                          bool* may_match) {
  const uint8_t* line[kBatchKeys];
  for (size_t m; n > 0; n -= m, hashes += m, may_match += m) {
    m = PrefetchLines(lines, num_lines, hashes, n, line);
    PrefetchedBatch(line, hashes, m, parameter, may_match);
  }
}

}  // namespace

constexpr ProbeKernel kAvx512Kernel = {&One, &Batch};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // defined(__x86_64__)
