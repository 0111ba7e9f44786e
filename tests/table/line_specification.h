// Lookups as docs/internals/format.md words them, bit by bit: with no part of
// the code, for tests that hold the kernels to it. A line is any number of
// bytes from 8 to 64, as in short blocks.

#ifndef ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_
#define ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace oneline {
namespace specification {

inline constexpr int kHeaderBits = 11;

// The multipliers of the expected bits. They are part of the format.
inline constexpr int kA[32] = {
    0x2fcb, 0xce47, 0x4a3d, 0x9309, 0x1cc9, 0xebfb, 0xdde5, 0x383d,
    0x4129, 0x353d, 0xec81, 0x0271, 0x2fad, 0xd973, 0x3219, 0x8379,
    0x126d, 0x67c3, 0x70e7, 0x1a15, 0x541f, 0xa375, 0x8aa1, 0xfc4b,
    0x4d9b, 0xcb53, 0x326f, 0x2be7, 0x9a39, 0x5923, 0xb67b, 0x7233};
inline constexpr int kB[32] = {
    0x6e57, 0x95c3, 0x7209, 0x59c1, 0xcde9, 0xddc5, 0x1fed, 0x32ab,
    0xb34f, 0x061b, 0xaea3, 0x1363, 0xc685, 0x25ab, 0xd6c7, 0xaca9,
    0x5f0d, 0xa739, 0xbdcb, 0xf78b, 0x46d5, 0xa5c9, 0x2139, 0xfc93,
    0x0017, 0xda23, 0xd127, 0xcf9b, 0x3331, 0x20bd, 0xd0c9, 0x37f7};

inline int64_t Signed16(int64_t x) { return x < 32768 ? x : x - 65536; }

// ceil(a / b).
inline int CeilDivide(int a, int b) { return a / b + (a % b == 0 ? 0 : 1); }

// The first rows of all windows: at most 16 rows apart, evenly from row 0 to
// the last possible one, with the first and the last window twice.
inline std::vector<int> WindowStarts(int rows) {
  if (rows <= 54) return {0};
  const int last = rows - 54;
  const int steps = CeilDivide(last, 16);
  std::vector<int> starts = {0};
  for (int i = 0; i <= steps; ++i) starts.push_back(i * last / steps);
  starts.push_back(last);
  return starts;
}

}  // namespace specification

// One lookup in a line of kind 2, the blocked Ribbon. Looks at the line anew
// each time it is asked, so the line may change, but not its header.
class SpecifiedRibbonLookup {
 public:
  SpecifiedRibbonLookup(const uint8_t* line, size_t num_bytes, uint64_t hash,
                        int base)
      : line_(line),
        line_bits_(8 * static_cast<int>(num_bytes)),
        hash_(hash),
        key_bits_(hash * 0x9e3779b97f4a7c15) {
    int header = 0;
    for (int i = 0; i < specification::kHeaderBits; ++i)
      header += Bit(i) ? 1 << i : 0;
    const int d = header % 4, rows_over_base = header / 4 % 64;
    rows_ = base + rows_over_base;
    window_starts_ = specification::WindowStarts(rows_);
    if (rows_over_base == 63 || rows_ == 0) return;

    // Rotated left by 8 * seed, and by the upper 3 bits of w - base.
    const int turn = 8 * (header / 256) + rows_over_base / 8;
    seeded_ =
        turn == 0 ? key_bits_ : key_bits_ << turn | key_bits_ >> (64 - turn);
    const uint64_t lower_half = seeded_ % (uint64_t{1} << 32);
    window_ = static_cast<int>(lower_half * window_starts_.size() /
                               (uint64_t{1} << 32));
    start_ = window_starts_[static_cast<size_t>(window_)];
    SetColumns(d);
  }

  bool MayMatch() const {
    for (int column = 0; column < num_columns_; ++column) {
      if (!ColumnMatches(column)) return false;
    }
    return true;
  }

  // Lines that could not be solved, and those of no rows, ask no column.
  int num_columns() const { return num_columns_; }
  // Whether the last of them is the partial column.
  bool asks_partial_column() const { return asks_partial_; }
  int num_windows() const { return static_cast<int>(window_starts_.size()); }
  int window() const { return window_; }

  // The bits of the line, by number, whose sum modulo 2 must be the expected
  // bit. Those of a partial column may reach into the header.
  std::vector<int> BitsOf(int column) const {
    std::vector<int> bits;
    for (int m = 0; m < (rows_ < 54 ? rows_ : 54); ++m) {
      const int bit = line_bits_ - 1 - column * rows_ - start_ - m;
      if (bit >= 0 && (seeded_ >> m & 1) != 0) bits.push_back(bit);
    }
    return bits;
  }
  bool ColumnMatches(int column) const {
    bool sum = false;
    for (int m = 0; m < (rows_ < 54 ? rows_ : 54); ++m) {
      const int bit = line_bits_ - 1 - column * rows_ - start_ - m;
      if (bit >= 0 && (seeded_ >> m & 1) != 0) sum ^= Bit(bit);
    }
    return sum == ExpectedBit(column);
  }

 private:
  bool Bit(int i) const { return (line_[i / 8] >> (i % 8) & 1) != 0; }
  bool ExpectedBit(int column) const {
    // Where it is in a line of 64 bytes.
    const int bit = 511 - column * rows_ - start_;
    const int word = bit / 16;
    const auto f =
        static_cast<int64_t>(key_bits_ >> (16 * (word % 4)) & 0xffff);
    const int64_t low = f * specification::kA[word] % 65536;
    // Rounded; >> is floor(x / 2^15).
    const int64_t high = (specification::Signed16(f) *
                              specification::Signed16(specification::kB[word]) +
                          16384) >>
                         15;
    return ((low ^ high) >> (bit % 16) & 1) != 0;
  }
  void SetColumns(int d) {
    const int bits = line_bits_ - specification::kHeaderBits;
    num_columns_ = bits / rows_ < 32 ? bits / rows_ : 32;
    const int partial_rows =
        num_columns_ < 32 ? bits - num_columns_ * rows_ : 0;
    if (partial_rows == 0) return;
    asked_bound_ =
        specification::CeilDivide(256 * num_windows() * partial_rows, rows_) +
        num_windows() * (10 * d - 16);
    if (asked_bound_ < 0) asked_bound_ = 0;
    if (asked_bound_ >= 256 * num_windows())
      asked_bound_ = 256 * num_windows() - 1;
    const int place = 256 * window_ + static_cast<int>(hash_ % 256);
    asks_partial_ = place < asked_bound_;
    num_columns_ += asks_partial_ ? 1 : 0;
  }

  const uint8_t* const line_;
  const int line_bits_;
  const uint64_t hash_;
  const uint64_t key_bits_;
  int rows_ = 0;
  std::vector<int> window_starts_;
  int window_ = 0;
  int start_ = 0;
  uint64_t seeded_ = 0;
  int asked_bound_ = 0;
  int num_columns_ = 0;
  bool asks_partial_ = false;
};

// Of kind 1, the blocked Bloom filter: the bit that a probe of a key names.
// Probes count from 0.
inline uint64_t BloomBitBySpecification(size_t num_bytes, uint64_t hash,
                                        int probe) {
  const uint64_t mix = hash * 0x9e3779b97f4a7c15;
  uint64_t x = probe < 8 || probe >= 16 ? mix >> 32 : mix % (uint64_t{1} << 32);
  for (int times = 0; times < probe + 1; ++times) {
    x = x * 0x9e3779b9 % (uint64_t{1} << 32);
  }
  return x * (8 * num_bytes) / (uint64_t{1} << 32);
}

// A lookup in a line of that kind.
inline bool BloomBySpecification(const uint8_t* line, size_t num_bytes,
                                 uint64_t hash, int num_probes) {
  for (int i = 0; i < num_probes; ++i) {
    const uint64_t bit = BloomBitBySpecification(num_bytes, hash, i);
    if ((line[bit / 8] >> (bit % 8) & 1) == 0) return false;
  }
  return true;
}

// Of the kind with this number.
inline bool LineBySpecification(uint8_t kind, const uint8_t* line,
                                size_t num_bytes, uint64_t hash,
                                uint8_t parameter) {
  switch (kind) {
    case 1:
      return BloomBySpecification(line, num_bytes, hash, parameter);
    case 2:
      return SpecifiedRibbonLookup(line, num_bytes, hash, parameter).MayMatch();
    default:
      std::fprintf(stderr, "kind %d is not specified here\n", int{kind});
      std::abort();
  }
}

// Of a short block, whatever its bytes, from the hash of the key.
inline bool ShortBlockBySpecification(std::string_view block, uint64_t hash) {
  if (block.size() < 9) return true;
  const size_t lines_bytes = block.size() - 1;
  const size_t num_lines = (lines_bytes + 63) / 64;
  if (lines_bytes % num_lines != 0) return true;
  const size_t line_bytes = lines_bytes / num_lines;
  const auto product = static_cast<unsigned __int128>(hash) * num_lines;
  const auto* line = reinterpret_cast<const uint8_t*>(block.data()) +
                     line_bytes * static_cast<size_t>(product >> 64);
  const int code = static_cast<uint8_t>(block.back());
  if (code >= 1 && code <= 24) {
    return BloomBySpecification(line, line_bytes, hash, code);
  }
  if (code >= 0x80 && code <= 0xb0) {
    return SpecifiedRibbonLookup(line, line_bytes, hash, 4 * (code - 0x80))
        .MayMatch();
  }
  return true;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_
