// The AVX-512 kernel of the blocked Ribbon. Eight columns at once: a byte
// permute brings their windows into eight lanes, then shift, AND, population
// count.
//
// First only the line's bytes 0..47: a line at 16 modulo 64, where one block in
// four lies without an aligning allocator, has these in one physical cache
// line, and the columns that they hold (7 at 10 bits/key) turn away nearly all
// absent keys.
#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "table/blocked_ribbon.h"
#include "table/prefetch.h"
#include "table/ribbon_line.h"

#define ONELINE_AVX512                                                        \
  __attribute__((                                                             \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq," \
             "bmi,bmi2,popcnt")))

namespace oneline {
namespace blocked_ribbon {
namespace {

constexpr uint32_t kHeadBits = 48 * 8;

// Bit j: the parity of lane j's window. positions: the windows' first bits.
ONELINE_AVX512 inline __mmask8 Parities(__m512i line, __m512i positions,
                                        __m512i coefficients) {
  // Each lane's first byte, in all its bytes, plus 0..7.
  const __m512i spread = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
  const __m512i first =
      _mm512_shuffle_epi8(_mm512_srli_epi64(positions, 3), spread);
  const __m512i index =
      _mm512_add_epi8(first, _mm512_set1_epi64(0x0706050403020100));
  const __m512i windows =
      _mm512_srlv_epi64(_mm512_permutexvar_epi8(index, line),
                        _mm512_and_si512(positions, _mm512_set1_epi64(7)));
  const __m512i counts =
      _mm512_popcnt_epi64(_mm512_and_si512(windows, coefficients));
  return _mm512_movepi64_mask(_mm512_slli_epi64(counts, 63));
}

ONELINE_AVX512 inline __m512i LaneNumbers() {
  return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}

constexpr uint32_t kRowsInTables = kMaxRows + 2;

constexpr uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
constexpr uint32_t AllColumns(uint32_t rows) {
  return Least((kDataBits + rows - 1) / rows, kMaxColumns);
}
constexpr uint32_t HeadColumns(uint32_t rows) {
  return Least((kHeadBits - kHeaderBits) / rows, 8);
}

// What follows from the number of rows alone.
struct alignas(8) RowFacts {
  uint16_t num_starts;   // of a window in a column
  uint8_t window;        // rows of a key's window
  uint8_t head_columns;  // full ones, of the first eight, within the head
  uint8_t head_mask;     // the same, a bit for each
  uint8_t more_groups;   // of eight columns, after the head's, that lines of
                         // this many rows or more may have
};

struct RowTable {
  RowFacts facts[kRowsInTables];
};

constexpr RowTable MakeRowTable() {
  RowTable table = {};
  uint32_t groups = 1;
  for (uint32_t rows = kRowsInTables - 1; rows > 0; rows--) {
    RowFacts& facts = table.facts[rows];
    const uint32_t head = HeadColumns(rows);
    const uint32_t more = (AllColumns(rows) - head + 7) / 8;
    if (more > groups) groups = more;
    facts.window = static_cast<uint8_t>(Least(rows, kWindowRows));
    facts.num_starts = static_cast<uint16_t>(rows - facts.window + 1);
    facts.head_columns = static_cast<uint8_t>(head);
    facts.head_mask = static_cast<uint8_t>((1u << head) - 1);
    facts.more_groups = static_cast<uint8_t>(groups);
  }
  table.facts[0].more_groups = static_cast<uint8_t>(groups);
  return table;
}

alignas(64) constexpr RowTable kRowTable = MakeRowTable();

ONELINE_AVX512 inline __m512i InEachLane(uint64_t value) {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}

// The parities of eight columns, as Parities has them. A column's number of
// rows decides where its windows begin and how long they are, so the partial
// column, which has fewer, is a lane like the others.
ONELINE_AVX512 inline uint32_t ColumnParities(__m512i line, __m512i bits_left,
                                              __m512i rows, __m512i place,
                                              __m512i coefficients) {
  const __m512i window = _mm512_min_epi64(rows, InEachLane(kWindowRows));
  const __m512i num_starts =
      _mm512_sub_epi64(rows, _mm512_sub_epi64(window, InEachLane(1)));
  const __m512i start =
      _mm512_srli_epi64(_mm512_mul_epu32(place, num_starts), 8);
  const __m512i column = _mm512_sub_epi64(InEachLane(kLineBits), bits_left);
  const __m512i window_mask = _mm512_srlv_epi64(
      InEachLane(~uint64_t{0}), _mm512_sub_epi64(InEachLane(64), window));
  return Parities(line, _mm512_add_epi64(column, start),
                  _mm512_and_si512(coefficients, window_mask));
}

// The columns after those that lie in the head, 8 at a time.
ONELINE_AVX512 __attribute__((always_inline)) inline bool MatchesRest(
    const uint8_t* line_bytes, uint64_t seeded, uint64_t fingerprint_bits,
    uint32_t rows, uint32_t least_rows) {
  const __m512i line = _mm512_loadu_si512(line_bytes);
  const uint32_t first = kRowTable.facts[rows].head_columns;
  const __m512i all_rows = InEachLane(rows);
  const __m512i place = InEachLane(Place(seeded));
  const __m512i coefficients = InEachLane(seeded | 1);
  // As in Reaches, the side that is the same for every column.
  const __m512i reach =
      InEachLane((uint64_t{Group(fingerprint_bits)} + 40 -
                  16 * uint64_t{DecodeHeader(line_bytes).reach}) *
                 rows);
  // From a column's first bit to the line's end; from 0 on down: none.
  __m512i bits_left =
      _mm512_sub_epi64(InEachLane(kDataBits - first * rows),
                       _mm512_mul_epu32(LaneNumbers(), all_rows));
  uint32_t expected = static_cast<uint32_t>(fingerprint_bits) >> first;
  uint32_t numbered = _bzhi_u32(~0u, kMaxColumns - first);
  uint32_t mismatches = 0;
  // As many groups as any of the filter's lines may need, so that the branch
  // goes the same way for all of them.
  for (uint32_t groups = kRowTable.facts[least_rows].more_groups;;) {
    const __m512i column_rows = _mm512_min_epi64(bits_left, all_rows);
    const uint32_t full = _mm512_cmpeq_epi64_mask(column_rows, all_rows);
    const uint32_t reached = _mm512_mask_cmplt_epi64_mask(
        _mm512_cmpgt_epi64_mask(bits_left, _mm512_setzero_si512()), reach,
        _mm512_slli_epi64(column_rows, 8));
    const uint32_t parities =
        ColumnParities(line, bits_left, column_rows, place, coefficients);
    mismatches |= (parities ^ expected) & (full | reached) & numbered;
    if (--groups == 0) return mismatches == 0;
    expected >>= 8;
    numbered >>= 8;
    bits_left = _mm512_sub_epi64(bits_left, _mm512_slli_epi64(all_rows, 3));
  }
}

struct Query {
  uint64_t seeded;
  uint64_t fingerprint_bits;
  uint32_t rows;
  uint32_t rows_over_base;
};

// Whether a column in the head differs. Says nothing of a line that has no rows
// or was not solved.
ONELINE_AVX512 __attribute__((always_inline)) inline bool DiffersInHead(
    const uint8_t* line, uint64_t hash, uint8_t parameter, Query* q) {
  const Header header = DecodeHeader(line);
  const uint32_t rows = parameter + header.rows_over_base;
  const RowFacts& facts = kRowTable.facts[rows];
  const uint64_t seeded = Seeded(CoefficientBits(hash), header.seed);
  const uint64_t fingerprint_bits = FingerprintBits(hash);
  const uint32_t start = Place(seeded) * facts.num_starts >> 8;
  const __m512i head = _mm512_inserti64x4(
      _mm512_castsi256_si512(
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line))),
      _mm256_castsi128_si256(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(line + 32))),
      1);
  const __m512i positions =
      _mm512_add_epi64(_mm512_mul_epu32(LaneNumbers(), _mm512_set1_epi64(rows)),
                       _mm512_set1_epi64(kHeaderBits + start));
  const __m512i coefficients = _mm512_set1_epi64(
      static_cast<int64_t>(_bzhi_u64(seeded | 1, facts.window)));
  const uint32_t parities = Parities(head, positions, coefficients);
  *q = {seeded, fingerprint_bits, rows, header.rows_over_base};
  return ((parities ^ static_cast<uint32_t>(fingerprint_bits)) &
          facts.head_mask) != 0;
}

// Out of line, so that it costs the lookups that end in the head no register.
ONELINE_AVX512 __attribute__((noinline)) bool MatchesRestOutOfLine(
    const uint8_t* line, uint64_t seeded, uint64_t fingerprint_bits,
    uint32_t rows, uint32_t least_rows) {
  return MatchesRest(line, seeded, fingerprint_bits, rows, least_rows);
}

ONELINE_AVX512 bool One(const uint8_t* line, uint64_t hash, uint8_t parameter) {
  Query q;
  if (__builtin_expect(DiffersInHead(line, hash, parameter, &q), 1))
    return q.rows_over_base == kUnsolved;
  if (q.rows == 0) return false;
  if (q.rows_over_base == kUnsolved) return true;
  return MatchesRestOutOfLine(line, q.seeded, q.fingerprint_bits, q.rows,
                              parameter);
}

// At most kBatchKeys lookups. Two passes: where one key in eight passes the
// head, each would stop the overlap of the other lookups.
ONELINE_AVX512 inline void PrefetchedBatch(const uint8_t* const* lines,
                                           const uint64_t* hashes, size_t n,
                                           uint8_t parameter, bool* may_match) {
  uint8_t left[kBatchKeys];
  size_t num_left = 0;
  for (size_t i = 0; i < n; ++i) {
    Query q;
    const bool differs = DiffersInHead(lines[i], hashes[i], parameter, &q);
    may_match[i] = q.rows_over_base == kUnsolved;
    left[num_left] = static_cast<uint8_t>(i);
    num_left += !differs;
  }
  for (size_t j = 0; j < num_left; ++j) {
    const size_t i = left[j];
    const Header header = DecodeHeader(lines[i]);
    const uint32_t rows = parameter + header.rows_over_base;
    if (rows == 0) continue;                           // stays false
    if (header.rows_over_base == kUnsolved) continue;  // stays true
    may_match[i] =
        MatchesRest(lines[i], Seeded(CoefficientBits(hashes[i]), header.seed),
                    FingerprintBits(hashes[i]), rows, parameter);
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
