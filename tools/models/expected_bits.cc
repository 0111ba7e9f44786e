#include "tools/models/expected_bits.h"

#include <algorithm>
#include <vector>

#include "table/ribbon_line/ribbon_line.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// ExpectedBits of ribbon_line.h, for other multipliers.
uint16_t Expected(uint16_t word, uint16_t low, uint16_t high) {
  const int32_t rounded = static_cast<int32_t>(static_cast<int16_t>(word)) *
                              static_cast<int16_t>(high) +
                          (1 << 14);
  return static_cast<uint16_t>(uint32_t{word} * low ^
                               static_cast<uint32_t>(rounded >> 15));
}

}  // namespace

double Inflation(const ExpectedBitsMultipliers& multipliers, uint32_t rows,
                 uint32_t start) {
  std::vector<uint32_t> positions;
  const uint32_t columns =
      FullColumns(rows) + (start < PartialRows(rows) ? 1 : 0);
  for (uint32_t j = 0; j < columns; ++j) {
    positions.push_back(kLineBits - 1 - j * rows - start);
  }
  double inflation = 1;
  for (uint32_t word_of_key = 0; word_of_key < 4; ++word_of_key) {
    std::vector<uint32_t> mine;
    for (uint32_t position : positions) {
      if (position / 16 % 4 == word_of_key) mine.push_back(position);
    }
    std::vector<uint32_t> counts(size_t{1} << mine.size());
    for (uint32_t word = 0; word < 65536; ++word) {
      uint32_t value = 0;
      for (uint32_t position : mine) {
        const uint32_t i = position / 16;
        const uint16_t expected =
            Expected(static_cast<uint16_t>(word), multipliers.low[i],
                     multipliers.high[i]);
        value = value << 1 | (expected >> (position % 16) & 1);
      }
      ++counts[value];
    }
    double squares = 0;
    for (uint32_t count : counts) squares += double{1} * count * count;
    inflation *= squares / 65536 / 65536 * static_cast<double>(counts.size());
  }
  return inflation;
}

double WorstInflation(const ExpectedBitsMultipliers& multipliers) {
  double worst = 1;
  for (uint32_t rows = 1; rows <= kMaxRows; ++rows) {
    if (FullColumns(rows) > 20) continue;
    for (uint32_t i = 0; i < NumWindows(rows); ++i) {
      const uint32_t start = WindowStart(rows, i);
      if (i > 0 && start == WindowStart(rows, i - 1)) continue;
      worst = std::max(worst, Inflation(multipliers, rows, start));
    }
  }
  return worst;
}

}  // namespace blocked_ribbon
}  // namespace oneline
