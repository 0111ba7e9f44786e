#include "tools/sst/filter_walk.h"

#include <algorithm>
#include <cassert>

#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

// One policy for all readers: reading does not depend on its options.
const rocksdb::FilterPolicy& Policy() {
  static const auto* const policy =
      new std::shared_ptr<const rocksdb::FilterPolicy>(
          NewRocksDBFilterPolicy(FilterOptions()));
  return **policy;
}

}  // namespace

FilterReader::FilterReader(std::string_view block)
    : reader_(Policy().GetFilterBitsReader({block.data(), block.size()})) {}

bool FilterReader::MayMatch(std::string_view key) const {
  return reader_->MayMatch(rocksdb::Slice(key.data(), key.size()));
}

FilterWalk::FilterWalk(const std::vector<std::string>& blocks,
                       const FilteredKeys& keys)
    : may_skip_(!keys.whole_keys()), readers_(blocks.begin(), blocks.end()) {
  assert(!blocks.empty());
}

bool FilterWalk::MatchesAll(size_t partition,
                            const FilteredKeys::Entries& entries) const {
  for (size_t i = 0; i < entries.n; ++i) {
    if (!readers_[partition].MayMatch(entries.view[i])) return false;
  }
  return true;
}

bool FilterWalk::MayMatch(const FilteredKeys::Entries& entries) {
  const size_t last = may_skip_ ? readers_.size() - 1
                                : std::min(partition_ + 1, readers_.size() - 1);
  for (size_t p = partition_; p <= last; ++p) {
    if (MatchesAll(p, entries)) {
      partition_ = p;
      return true;
    }
  }
  return false;
}

}  // namespace oneline
