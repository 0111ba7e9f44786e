#include "table/block/line_count.h"

#include <algorithm>
#include <cmath>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

// The lines, a whole number, that LinesFor would give if there were no limit.
double UnlimitedLines(size_t num_keys, double bits_per_key) {
  return std::ceil(static_cast<double>(num_keys) * bits_per_key / kLineBits);
}

}  // namespace

uint32_t LinesFor(size_t num_keys, double bits_per_key) {
  if (num_keys == 0) return 0;
  const double lines = UnlimitedLines(num_keys, bits_per_key);
  return static_cast<uint32_t>(std::clamp(lines, 1.0, double{kMaxLines}));
}

uint32_t LinesWithin(size_t bytes) {
  if (bytes < kTrailerBytes) return 0;
  return static_cast<uint32_t>(
      std::min<size_t>((bytes - kTrailerBytes) / kLineBytes, kMaxLines));
}

size_t KeysFor(uint32_t num_lines, double bits_per_key) {
  const double lines = std::min(num_lines, kMaxLines);
  auto keys = static_cast<size_t>(lines * kLineBits / bits_per_key);
  // The division and UnlimitedLines' product round: where one is a whole
  // number, or nearly, they can differ by a key in either direction.
  while (UnlimitedLines(keys, bits_per_key) > lines) --keys;
  while (UnlimitedLines(keys + 1, bits_per_key) <= lines) ++keys;
  return keys;
}

}  // namespace oneline
