// All lines of a blocked Ribbon filter from the list of its hashes.
//
// The hashes of a line must come together. The list is sorted by line, in
// place: an American flag sort (McIlroy, Bostic, McIlroy, "Engineering Radix
// Sort", 1993), whose every level permutes a range of the list among at most
// 256 buckets of whole lines:
//
//   | lines 0..n                                  |  the list
//   | bucket 0 | bucket 1 |   ...    | bucket 255 |  once permuted
//   | 0 |  ...                                       and so on
//
// A range that fits the scratch space is copied there in line order and solved.

#ifndef ONELINE_TABLE_RIBBON_PARTITION_H_
#define ONELINE_TABLE_RIBBON_PARTITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/hash_list.h"
#include "table/ribbon_lines.h"
#include "table/ribbon_solver.h"

namespace oneline {
namespace blocked_ribbon {

// Memory: about 700 KiB, whatever the number of keys.
class PartitionedBuild {
 public:
  // For `lines`, num_lines * 64 bytes, from `hashes`, which are permuted.
  PartitionedBuild(const Solver& solver, uint8_t parameter, uint32_t effort,
                   HashList& hashes, uint8_t* lines, uint32_t num_lines);

  // Returns how many lines could not be solved.
  uint32_t Run();

 private:
  static constexpr uint32_t kMaxBuckets = 256;
  static constexpr size_t kScratchHashes = 16384;
  static constexpr uint32_t kScratchLines = 1024;

  // The lines [first_line, end_line), whose hashes are those at [begin, end).
  struct Range {
    size_t begin;
    size_t end;
    uint32_t first_line;
    uint32_t end_line;

    size_t num_hashes() const { return end - begin; }
    uint32_t num_lines() const { return end_line - first_line; }
  };

  // The parts of a range: bucket b has 2^shift lines, the last one fewer.
  struct Buckets {
    uint32_t first_line;
    uint32_t shift;
    uint32_t size;
    std::array<size_t, kMaxBuckets> next;  // hashes before it are in place
    std::array<size_t, kMaxBuckets> ends;
  };

  void SolveRange(const Range& range);
  void SplitRange(const Range& range);
  void PlanBuckets(const Range& range, Buckets* buckets) const;
  uint32_t BucketOf(const Buckets& buckets, uint64_t hash) const;
  bool MoveOnce(Buckets* buckets);
  void SolveInScratch(const Range& range);
  void SolveCrowdedLine(const Range& range);
  void Solve(const uint32_t* ends, uint32_t first_line, uint32_t num_lines);

  LinesSolver solver_;
  HashList& hashes_;
  uint8_t* const lines_;
  const uint32_t num_lines_;
  uint32_t num_unsolved_ = 0;
  std::vector<uint64_t> scratch_;
  std::vector<uint16_t> line_of_;
  std::vector<uint32_t> ends_;
};

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TABLE_RIBBON_PARTITION_H_
