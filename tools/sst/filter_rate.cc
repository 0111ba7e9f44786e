#include "tools/sst/filter_rate.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "filter_policy/refilter/decoded_filter.h"
#include "table/block/filter_kind.h"

namespace oneline {
namespace {

// The mean over the lines of (share of bits that are set) ^ probes. The lines
// of RocksDB's old filters may be longer than ours.
double MeanOfBloomLines(std::string_view data, size_t line_bytes, int probes) {
  const KindTraits& bloom = *FindKind("bloom");
  double sum = 0;
  size_t lines = 0;
  for (size_t at = 0; at + line_bytes <= data.size(); at += line_bytes) {
    double fill = 0;
    for (size_t part = 0; part < line_bytes; part += kLineBytes) {
      fill += bloom.lines->fp_rate(
          reinterpret_cast<const uint8_t*>(data.data()) + at + part, 1);
    }
    sum += std::pow(fill * kLineBytes / line_bytes, probes);
    ++lines;
  }
  return sum / lines;
}

// If the segments are not a multiple of the blocks, the first blocks have one
// column fewer.
double RibbonRate(size_t segments, uint32_t blocks) {
  constexpr double kRows = 128;
  const size_t columns = (segments + blocks - 1) / blocks;
  const size_t narrow_blocks = columns * blocks - segments;
  // The equation of a key begins at any row but the last 127.
  const double narrow = narrow_blocks * kRows / (blocks * kRows - (kRows - 1));
  return std::ldexp(1 + narrow, -static_cast<int>(columns));
}

}  // namespace

double FilterFpRate(std::string_view block) {
  const std::optional<FilterFacts> facts = DecodeFilter(block);
  if (!facts.has_value()) return 1;
  if (facts->trailer.has_value()) return BlockFpRate(block);
  switch (facts->kind) {
    case FoundKind::kNoKeys:
      return 0;
    case FoundKind::kRocksDBBloom:
    case FoundKind::kRocksDBOldBloom:
      return MeanOfBloomLines(
          block.substr(0, block.size() - kRocksDBTrailerBytes),
          facts->line_bytes, facts->probes);
    case FoundKind::kRocksDBRibbon:
      return RibbonRate((block.size() - kRocksDBTrailerBytes) / kSegmentBytes,
                        facts->blocks);
    default:
      return 1;
  }
}

double FilterFpRate(const std::vector<std::string>& blocks) {
  double bytes = 0, weighted = 0;
  for (const std::string& block : blocks) {
    bytes += block.size();
    weighted += block.size() * FilterFpRate(block);
  }
  if (bytes > 0) return weighted / bytes;
  return blocks.empty() ? 1 : FilterFpRate(blocks[0]);
}

}  // namespace oneline
