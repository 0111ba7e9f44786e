#include "table/short_block/short_block.h"

#include <algorithm>
#include <memory>

#include "table/ribbon_solver/line_solver.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace {

void FillBloom(const std::vector<uint64_t>& hashes, uint8_t num_probes,
               const ShortBlockShape& shape, uint8_t* lines) {
  for (uint64_t hash : hashes) {
    uint8_t* const line =
        lines + size_t{shape.line_bytes} * LineIndex(hash, shape.num_lines);
    blocked_bloom::ForEachProbe(
        hash, num_probes,
        [line](uint32_t bit) {
          line[bit / 8] |= static_cast<uint8_t>(1u << (bit % 8));
          return true;
        },
        8 * shape.line_bytes);
  }
}

// Sorted hashes are in the order of their lines.
void FillRibbon(std::vector<uint64_t>& hashes, uint8_t base, int effort,
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
      static_cast<uint32_t>(effort), shape.line_bytes)
      ->Solve(hashes.data(), ends.data(), shape.num_lines, lines);
}

}  // namespace

void AppendShortBlock(const KindTraits& kind, double bits_per_key, int effort,
                      std::vector<uint64_t>* hashes, std::string* out) {
  if (hashes->empty()) return;
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
  const ShortBlockShape shape =
      ShortBlockShapeFor(hashes->size(), bits_per_key);
  const ShortBlockContent content =
      ShortBlockContentFor(kind, hashes->size(), shape);
  const size_t begin = out->size();
  out->resize(begin + shape.block_bytes());
  auto* const lines = reinterpret_cast<uint8_t*>(out->data() + begin);
  uint8_t& code = lines[shape.lines_bytes()];
  switch (content.kind.id) {
    case kBloomId:
      code = content.parameter;
      return FillBloom(*hashes, content.parameter, shape, lines);
    case kRibbonId:
      code = static_cast<uint8_t>(kShortRibbon + content.parameter /
                                                     blocked_ribbon::kBaseStep);
      return FillRibbon(*hashes, content.parameter, effort, shape, lines);
    default:
      code = kNoShortKind;
  }
}

}  // namespace oneline
