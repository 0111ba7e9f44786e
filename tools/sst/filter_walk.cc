#include "tools/sst/filter_walk.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {

std::unique_ptr<rocksdb::FilterBitsReader> NewFilterReader(
    std::string_view block) {
  // One policy for all readers: reading does not depend on its options.
  static const rocksdb::FilterPolicy* const policy =
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName);
  return std::unique_ptr<rocksdb::FilterBitsReader>(
      policy->GetFilterBitsReader({block.data(), block.size()}));
}

FilterWalk::FilterWalk(const std::vector<std::string>& blocks,
                       const FilteredKeys& keys)
    : may_skip_(!keys.whole_keys()) {
  assert(!blocks.empty());
  for (const std::string& block : blocks) {
    readers_.push_back(NewFilterReader(block));
  }
}

bool FilterWalk::MayMatch(const FilteredKeys::Entries& entries) {
  const size_t last = may_skip_ ? readers_.size() - 1
                                : std::min(partition_ + 1, readers_.size() - 1);
  for (size_t p = partition_; p <= last; ++p) {
    bool matches = true;
    for (size_t i = 0; i < entries.n; ++i) {
      matches = matches && readers_[p]->MayMatch(entries.slice(i));
    }
    if (!matches) continue;
    partition_ = p;
    return true;
  }
  return false;
}

void FilterWalk::MayMatch(const FilteredKeys::Entries* entries, size_t n,
                          bool* passes) {
  if (readers_.size() > 1) {
    assert(n <= 1);
    if (n == 1) *passes = MayMatch(*entries);
    return;
  }
  assert(n <= kMaxBatch);
  std::array<rocksdb::Slice, 2 * kMaxBatch> slices;
  std::array<rocksdb::Slice*, 2 * kMaxBatch> pointers;
  std::array<bool, 2 * kMaxBatch> may_match = {};
  size_t all = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < entries[i].n; ++j) {
      slices[all] = entries[i].slice(j);
      pointers[all] = &slices[all];
      ++all;
    }
  }
  if (all > 0) {
    readers_[0]->MayMatch(static_cast<int>(all), pointers.data(),
                          may_match.data());
  }
  all = 0;
  for (size_t i = 0; i < n; ++i) {
    passes[i] = true;
    for (size_t j = 0; j < entries[i].n; ++j) {
      passes[i] = may_match[all++] && passes[i];
    }
  }
}

}  // namespace oneline
