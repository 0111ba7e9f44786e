#include "table/hash/hash_partition.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "table/hash/key_hash.h"

namespace oneline {

HashPartition::HashPartition(HashList& hashes, uint32_t num_lines,
                             const HashRange& range, size_t wanted_parts)
    : hashes_(hashes), num_lines_(num_lines), range_(range) {
  assert(wanted_parts >= 2 && range.num_lines() >= 2);
  const uint32_t last = range.num_lines() - 1;
  const size_t most = std::min(wanted_parts, size_t{kMaxParts});
  while (last >> shift_ >= most) ++shift_;
  num_parts_ = (last >> shift_) + 1;
  Count();
  while (MoveOnce()) {
  }
}

HashRange HashPartition::part(uint32_t i) const {
  assert(i < num_parts_);
  const uint32_t first_line = range_.first_line + (i << shift_);
  return {i == 0 ? range_.begin : ends_[i - 1], ends_[i], first_line,
          i + 1 == num_parts_ ? range_.end_line : first_line + (1u << shift_)};
}

inline uint32_t HashPartition::PartOf(uint64_t hash) const {
  return (LineIndex(hash, num_lines_) - range_.first_line) >> shift_;
}

void HashPartition::Count() {
  std::fill_n(next_, num_parts_, 0);
  hashes_.ForEach(range_.begin, range_.end,
                  [&](uint64_t hash) { ++next_[PartOf(hash)]; });
  size_t at = range_.begin;
  for (uint32_t p = 0; p < num_parts_; ++p) {
    const size_t begin = at;
    at += next_[p];
    next_[p] = begin;
    ends_[p] = at;
  }
}

// Swaps each hash that may be out of place into its part's next place. What
// comes back in return waits for the next round: a chain of swaps, each waiting
// for the one before, takes several times as long. Places before next_[p] are
// done; next_[p] never passes the hash at hand, so no hash is moved twice.
// False if all were done before.
bool HashPartition::MoveOnce() {
  bool moved = false;
  for (uint32_t p = 0; p < num_parts_; ++p) {
    const size_t end = ends_[p];
    for (size_t i = next_[p]; i < end; ++i) {
      uint64_t& hash = hashes_[i];
      std::swap(hash, hashes_[next_[PartOf(hash)]++]);
      moved = true;
    }
  }
  return moved;
}

}  // namespace oneline
