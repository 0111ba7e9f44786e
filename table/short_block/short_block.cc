#include "table/short_block/short_block.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "table/block/kind_choice.h"
#include "table/ribbon_solver/line_solver.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace {

void FillBloom(const std::vector<uint64_t>& hashes, uint8_t num_probes,
               const ShortBlockShape& shape, uint8_t* lines) {
  for (const uint64_t hash : hashes) {
    const uint32_t line = LineIndex(hash, shape.num_lines);
    blocked_bloom::SetBits(hash, num_probes,
                           lines + size_t{shape.line_bytes} * line,
                           8 * shape.line_bytes);
  }
}

// Sorted hashes are in the order of their lines.
void FillRibbon(std::vector<uint64_t>& hashes, uint8_t base,
                const ShortBlockShape& shape, uint8_t* lines) {
  std::vector<uint32_t> ends(shape.num_lines);
  for (size_t i = 0; i < hashes.size(); ++i) {
    ends[LineIndex(hashes[i], shape.num_lines)] = static_cast<uint32_t>(i + 1);
  }
  // Lines without keys end where the line before does.
  for (uint32_t i = 1; i < shape.num_lines; ++i) {
    ends[i] = std::max(ends[i], ends[i - 1]);
  }
  std::make_unique<blocked_ribbon::LineSolver>(
      KernelFor(blocked_ribbon::kSolvers, ChosenInstructionSet()), base,
      shape.line_bytes)
      ->Solve(hashes.data(), ends.data(), shape.num_lines, lines);
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

double ShortBlockBitsPerKeyFor(const KindTraits& kind, size_t num_keys,
                               double large_bits_per_key) {
  const double more = kind.id == kRibbonId ? 24 : 16;
  return std::min(large_bits_per_key + more / static_cast<double>(num_keys),
                  100.0);
}

void AppendShortBlock(const KindTraits& kind, double bits_per_key,
                      std::vector<uint64_t>* hashes, std::string* out) {
  if (hashes->empty()) return;
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
  const ShortBlockShape shape =
      ShortBlockShapeFor(hashes->size(), bits_per_key);
  const double bits_there = 8.0 * static_cast<double>(shape.lines_bytes()) /
                            static_cast<double>(hashes->size());
  const KindTraits& written = EffectiveKind(kind, bits_there);
  const uint8_t parameter = written.lines->choose_parameter(
      bits_there, hashes->size(), shape.num_lines);
  const size_t begin = out->size();
  out->resize(begin + shape.block_bytes());
  auto* const lines = reinterpret_cast<uint8_t*>(out->data() + begin);
  uint8_t& code = lines[shape.lines_bytes()];
  switch (written.id) {
    case kBloomId:
      code = parameter;
      return FillBloom(*hashes, parameter, shape, lines);
    case kRibbonId:
      code = static_cast<uint8_t>(kShortRibbon +
                                  parameter / blocked_ribbon::kBaseStep);
      return FillRibbon(*hashes, parameter, shape, lines);
    default:
      code = kNoShortKind;
  }
}

}  // namespace oneline
