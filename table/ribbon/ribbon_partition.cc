#include "table/ribbon/ribbon_partition.h"

#include <algorithm>

#include "table/hash/key_hash.h"

namespace oneline {
namespace blocked_ribbon {

PartitionedBuild::PartitionedBuild(const Solver& solver, uint8_t parameter,
                                   uint32_t effort, HashList& hashes,
                                   uint8_t* lines, uint32_t num_lines)
    : solver_(solver, parameter, effort),
      hashes_(hashes),
      lines_(lines),
      num_lines_(num_lines),
      // Small filters, of which there are many, don't need all of it.
      scratch_(std::min(hashes.size(), kScratchHashes)),
      line_of_(scratch_.size()),
      ends_(std::min(num_lines, kScratchLines) + 1) {}

uint32_t PartitionedBuild::Run() {
  SolveRange({0, hashes_.size(), 0, num_lines_});
  return num_unsolved_;
}

void PartitionedBuild::SolveRange(const HashRange& range) {
  if (range.num_hashes() <= kScratchHashes &&
      range.num_lines() <= kScratchLines) {
    SolveInScratch(range);
  } else if (range.num_lines() == 1) {
    SolveCrowdedLine(range);
  } else {
    SplitRange(range);
  }
}

void PartitionedBuild::SplitRange(const HashRange& range) {
  // Enough parts that each should fit the scratch space twice or more, but not
  // many more than that: the lines of one scratch fill are solved together.
  const size_t wanted =
      std::max({size_t{2}, range.num_hashes() / (kScratchHashes / 4),
                size_t{range.num_lines()} / (kScratchLines / 4)});
  const HashPartition partition(hashes_, num_lines_, range, wanted);
  for (uint32_t i = 0; i < partition.num_parts(); ++i) {
    SolveRange(partition.part(i));
  }
}

void PartitionedBuild::SolveInScratch(const HashRange& range) {
  // [line + 1]: how many hashes it has; then [line]: where its next one goes,
  // which in the end is where its last one is followed by the next line's.
  std::fill_n(ends_.begin(), range.num_lines() + 1, 0);
  for (size_t i = range.begin; i < range.end; ++i) {
    const uint32_t line = LineIndex(hashes_[i], num_lines_) - range.first_line;
    line_of_[i - range.begin] = static_cast<uint16_t>(line);
    ++ends_[line + 1];
  }
  for (uint32_t line = 0; line < range.num_lines(); ++line) {
    ends_[line + 1] += ends_[line];
  }
  for (size_t i = range.begin; i < range.end; ++i) {
    scratch_[ends_[line_of_[i - range.begin]]++] = hashes_[i];
  }
  Solve(ends_.data(), range.first_line, range.num_lines());
}

// More hashes than a line can hold, unless nearly all are equal: as many
// different ones as the line could hold, or some more.
void PartitionedBuild::SolveCrowdedLine(const HashRange& range) {
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
  Solve(&count, range.first_line, 1);
}

void PartitionedBuild::Solve(const uint32_t* ends, uint32_t first_line,
                             uint32_t num_lines) {
  num_unsolved_ += solver_.Solve(scratch_.data(), ends, num_lines,
                                 lines_ + kLineBytes * first_line);
}

}  // namespace blocked_ribbon
}  // namespace oneline
