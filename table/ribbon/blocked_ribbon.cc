#include "table/ribbon/blocked_ribbon.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "table/hash/hash_partition.h"
#include "table/ribbon_line/ribbon_line.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/ribbon_solver/line_solver.h"
#include "table/ribbon_solver/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// All lines of a filter from the list of its hashes. The hashes of a line must
// come together: a range of the list that does not fit the scratch space is
// partitioned in place, and each part again; one that fits is copied there in
// line order and solved. Memory: about 700 KiB, whatever the number of keys.
class FilterBuild {
 public:
  FilterBuild(uint8_t parameter, HashList& hashes, uint8_t* lines,
              uint32_t num_lines)
      : solver_(KernelFor(kSolvers, ChosenInstructionSet()), parameter),
        hashes_(hashes),
        lines_(lines),
        num_lines_(num_lines),
        // Small filters, of which there are many, don't need all of it.
        scratch_(std::min(hashes.size(), kScratchHashes)),
        ends_(std::min(num_lines, kScratchLines) + 1) {}

  void Run() { SolveRange({0, hashes_.size(), 0, num_lines_}); }

 private:
  static constexpr size_t kScratchHashes = 32768;
  static constexpr uint32_t kScratchLines = 1024;

  void SolveRange(const HashRange& range);
  void SplitRange(const HashRange& range);
  void SolveInScratch(const HashRange& range);
  void SolveCrowdedLine(const HashRange& range);

  LineSolver solver_;
  HashList& hashes_;
  uint8_t* const lines_;
  const uint32_t num_lines_;
  std::vector<uint64_t> scratch_;
  std::vector<uint32_t> ends_;
};

void FilterBuild::SolveRange(const HashRange& range) {
  if (range.num_hashes() <= kScratchHashes &&
      range.num_lines() <= kScratchLines) {
    SolveInScratch(range);
  } else if (range.num_lines() == 1) {
    SolveCrowdedLine(range);
  } else {
    SplitRange(range);
  }
}

void FilterBuild::SplitRange(const HashRange& range) {
  // Parts as large as should fit the scratch space: the lines of one fill are
  // solved together, and eight of a sort at a time. All but the last part have
  // the same number of lines, a power of 2.
  uint64_t part_lines = kScratchLines;
  while (part_lines > 1 && range.num_hashes() * part_lines >
                               kScratchHashes / 8 * 7 * range.num_lines()) {
    part_lines /= 2;
  }
  const size_t wanted =
      std::max<size_t>(2, (range.num_lines() + part_lines - 1) / part_lines);
  const HashPartition partition(hashes_, num_lines_, range, wanted);
  for (uint32_t i = 0; i < partition.num_parts(); ++i) {
    SolveRange(partition.part(i));
  }
}

void FilterBuild::SolveInScratch(const HashRange& range) {
  // [line + 1]: how many hashes it has; then [line]: where its next one goes,
  // which in the end is where its last one is followed by the next line's.
  std::fill_n(ends_.begin(), range.num_lines() + 1, 0);
  // With copies, which no count that is stored can change.
  const auto line_of = [num_lines = num_lines_,
                        first = range.first_line](uint64_t hash) {
    return LineIndex(hash, num_lines) - first;
  };
  hashes_.ForEach(range.begin, range.end,
                  [&](uint64_t hash) { ++ends_[line_of(hash) + 1]; });
  for (uint32_t line = 0; line < range.num_lines(); ++line) {
    ends_[line + 1] += ends_[line];
  }
  hashes_.ForEach(range.begin, range.end, [&](uint64_t hash) {
    scratch_[ends_[line_of(hash)]++] = hash;
  });
  solver_.Solve(scratch_.data(), ends_.data(), range.num_lines(),
                lines_ + kLineBytes * range.first_line);
}

// More hashes than a line can hold, unless nearly all are equal: as many
// different ones as the line could hold, or some more.
void FilterBuild::SolveCrowdedLine(const HashRange& range) {
  size_t kept = 0;
  for (size_t i = range.begin; i < range.end; ++i) {
    scratch_[kept++] = hashes_[i];
    if (kept < kScratchHashes && i + 1 < range.end) continue;
    const auto end = scratch_.begin() + static_cast<ptrdiff_t>(kept);
    std::sort(scratch_.begin(), end);
    kept = static_cast<size_t>(std::unique(scratch_.begin(), end) -
                               scratch_.begin());
    if (kept > kMaxEquations) break;
  }
  const auto count = static_cast<uint32_t>(kept);
  solver_.Solve(scratch_.data(), &count, 1,
                lines_ + kLineBytes * range.first_line);
}

bool ValidParameter(uint8_t parameter) {
  return parameter % kBaseStep == 0 && parameter <= kMaxBase;
}

// Of the bits per key that there are, whatever was requested.
uint8_t ChooseParameter(double, size_t num_keys, uint32_t num_lines) {
  // Keys fall on lines at random, so the keys of a line are binomial.
  // Lines 2.25 standard deviations below the mean can have more rows than they
  // need: they add next to nothing to the false positives. But lines four above
  // it must still have room, with 4 rows for keys that need more than one each.
  const double mean = static_cast<double>(num_keys) / num_lines;
  const double variance = mean * (1 - 1.0 / num_lines);
  // The factor under the root: before a subtraction, some compilers would round
  // once where others round twice, and some day give another base.
  const double room = kUnsolved - 1 - 4 - std::sqrt(4.0 * 4.0 * variance);
  const double below = std::min(std::sqrt(2.25 * 2.25 * variance), room);
  const double steps = std::floor((mean - below) / kBaseStep);
  return static_cast<uint8_t>(
      kBaseStep * std::clamp(steps, 0.0, double{kMaxBase / kBaseStep}));
}

// By the line's header: 2^-r for r full columns, and half of that for the keys
// that the partial column reaches.
double FpRate(const uint8_t* line, uint8_t parameter) {
  const Header header = DecodeHeader(line);
  if (header.rows_over_base == kUnsolved) return 1;
  const uint32_t rows = parameter + header.rows_over_base;
  if (rows == 0) return 1;
  const uint32_t partial_rows = PartialRows(rows);
  const double reached =
      ReachBound(rows, partial_rows, header.reach) / (256.0 * NumWindows(rows));
  return std::ldexp(1 - reached / 2, -static_cast<int>(FullColumns(rows)));
}

void Build(HashList& hashes, uint8_t parameter, uint8_t* lines,
           uint32_t num_lines) {
  // Not on the stack: it is too large for small ones.
  std::make_unique<FilterBuild>(parameter, hashes, lines, num_lines)->Run();
}

LineContext ContextFor(uint8_t parameter, uint32_t line_bytes) {
  return {&FindRibbonMasks(parameter, line_bytes), parameter};
}

#define ONELINE_KERNEL(set, name, features, bloom, ribbon, ...) \
  &ribbon::kKernel,
#define ONELINE_PORTABLE(...) &portable::kKernel,
constexpr ProbeKernels kKernels = {
    &portable::kKernel, ONELINE_SETS(ONELINE_KERNEL, ONELINE_PORTABLE)};
#undef ONELINE_KERNEL
#undef ONELINE_PORTABLE

}  // namespace

constexpr LineFormat kLines = {ChooseParameter, ValidParameter, Build,
                               FpRate,          ContextFor,     &kKernels};

}  // namespace blocked_ribbon
}  // namespace oneline
