#include "table/short_block/short_block_sizing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "table/block/kind_choice.h"
#include "table/block/line_count.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

double BitsThere(size_t num_keys, const ShortBlockShape& shape) {
  return 8.0 * static_cast<double>(shape.lines_bytes()) /
         static_cast<double>(num_keys);
}

}  // namespace

ShortBlockShape ShortBlockShapeFor(size_t num_keys, double bits_per_key) {
  assert(num_keys > 0 && bits_per_key >= 1 && bits_per_key <= 100);
  constexpr double kMaxBytes = double{kMaxLines} * kLineBytes;
  const double bytes =
      std::floor(static_cast<double>(num_keys) * bits_per_key / 8 + 0.5);
  const auto lines_bytes = static_cast<size_t>(
      std::clamp(bytes - 1, double{kMinLineBytes}, kMaxBytes));
  const size_t num_lines = (lines_bytes + kLineBytes - 1) / kLineBytes;
  // Never so few bytes that one line less would do: that is what a reader would
  // take it for.
  const size_t least =
      kLineBytes + 1 - (kLineBytes + num_lines - 1) / num_lines;
  const size_t line_bytes =
      std::max((lines_bytes + num_lines / 2) / num_lines, least);
  return {static_cast<uint32_t>(num_lines), static_cast<uint32_t>(line_bytes)};
}

ShortBlockContent ShortBlockContentFor(const KindTraits& asked, size_t num_keys,
                                       const ShortBlockShape& shape) {
  const double bits_there = BitsThere(num_keys, shape);
  const KindTraits& kind = EffectiveKind(asked, bits_there);
  return {kind, kind.choose_parameter(bits_there, num_keys, shape.num_lines)};
}

double ShortBlockBitsPerKeyFor(const KindTraits& asked, size_t num_keys,
                               double large_bits_per_key) {
  const double more = asked.id == kRibbonId ? 24 : 16;
  return std::min(large_bits_per_key + more / static_cast<double>(num_keys),
                  100.0);
}

}  // namespace oneline
