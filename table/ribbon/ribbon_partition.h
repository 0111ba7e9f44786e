// All lines of a blocked Ribbon filter from the list of its hashes.
//
// The hashes of a line must come together: a range of the list that does not
// fit the scratch space is partitioned in place, and each part again; one that
// fits is copied there in line order and solved.

#ifndef ONELINE_TABLE_RIBBON_RIBBON_PARTITION_H_
#define ONELINE_TABLE_RIBBON_RIBBON_PARTITION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/hash/hash_list.h"
#include "table/hash/hash_partition.h"
#include "table/ribbon/ribbon_lines.h"
#include "table/ribbon/ribbon_solver.h"

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
  static constexpr size_t kScratchHashes = 16384;
  static constexpr uint32_t kScratchLines = 1024;

  void SolveRange(const HashRange& range);
  void SplitRange(const HashRange& range);
  void SolveInScratch(const HashRange& range);
  void SolveCrowdedLine(const HashRange& range);
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

#endif  // ONELINE_TABLE_RIBBON_RIBBON_PARTITION_H_
