// Lookups as docs/internals/format.md words them, bit by bit: with no part of
// the code, for tests that hold the kernels to it. A line is any number of
// bytes from 8 to 64, as in short blocks.

#ifndef ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_
#define ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace oneline {

// One lookup in a line of kind 2, the blocked Ribbon. Looks at the line anew
// each time it is asked, so the line may change, but not its header.
class SpecifiedRibbonLookup {
 public:
  SpecifiedRibbonLookup(const uint8_t* line, size_t num_bytes, uint64_t hash,
                        int base);

  bool MayMatch() const;

  // Lines that could not be solved, and those of no rows, ask no column.
  int num_columns() const { return num_columns_; }
  // Whether the last of them is the partial column.
  bool asks_partial_column() const { return asks_partial_; }
  int num_windows() const { return static_cast<int>(window_starts_.size()); }
  int window() const { return window_; }

  // The bits of the line, by number, whose sum modulo 2 must be the expected
  // bit. Those of a partial column may reach into the header.
  std::vector<int> BitsOf(int column) const;
  bool ColumnMatches(int column) const;

  // The share of all keys that the partial column is asked for.
  double PartialShare() const;

 private:
  bool Bit(int i) const { return (line_[i / 8] >> (i % 8) & 1) != 0; }
  bool ExpectedBit(int column) const;
  void SetColumns(int d);

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
uint64_t BloomBitBySpecification(size_t num_bytes, uint64_t hash, int probe);

// A lookup in a line of that kind.
bool BloomBySpecification(const uint8_t* line, size_t num_bytes, uint64_t hash,
                          int num_probes);

// Of the kind with this number.
bool LineBySpecification(uint8_t kind, const uint8_t* line, size_t num_bytes,
                         uint64_t hash, uint8_t parameter);

// Of a short block, whatever its bytes, from the hash of the key.
bool ShortBlockBySpecification(std::string_view block, uint64_t hash);

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_LINE_SPECIFICATION_H_
