#include "table/ribbon_solver/equations.h"

#include <algorithm>
#include <cstddef>

namespace oneline {
namespace blocked_ribbon {

uint64_t ReversedHeader(const Layout& layout, uint32_t reach) {
  Layout header = layout;
  header.reach = reach;
  return ReverseBits(header.header()) >> (64 - kHeaderBits);
}

uint32_t RightSidesOf(const LineKeys& keys, const Layout& layout,
                      uint32_t window, const Solver& solver,
                      uint32_t* right_sides) {
  // With the bit of the partial column, if there is one, for all keys.
  const size_t mask = 2 * (size_t{layout.row().first_window} + window) + 1;
  solver.right_sides(keys.hashes, layout.table->masks()[mask].words,
                     keys.num_keys, layout.rows, right_sides);
  const bool has_partial =
      WindowStart(layout.rows, window) < layout.partial_rows();
  return layout.full_columns() + (has_partial ? 1 : 0);
}

void Clear(uint32_t num_keys, uint32_t num_windows, Systems* systems) {
  // Each window may leave a block that is not full.
  std::fill_n(systems->words[0], (num_keys + num_windows * kBlock) * kLanes, 0);
  // A lane may have fewer blocks than others, whose comparison reads its, too.
  const uint32_t num_blocks = (num_keys + kBlock - 1) / kBlock + num_windows;
  std::fill_n(systems->starts[0], num_blocks * kLanes, 0);
  std::fill_n(systems->ends, kLanes, 0);
}

}  // namespace blocked_ribbon
}  // namespace oneline
