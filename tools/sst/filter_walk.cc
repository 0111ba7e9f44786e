#include "tools/sst/filter_walk.h"

#include <algorithm>
#include <array>
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

void FilterReader::MayMatch(const std::string_view* keys, size_t n,
                            bool* may_match) const {
  assert(n <= kMaxBatch);
  std::array<rocksdb::Slice, kMaxBatch> slices;
  std::array<rocksdb::Slice*, kMaxBatch> pointers;
  for (size_t i = 0; i < n; ++i) {
    slices[i] = rocksdb::Slice(keys[i].data(), keys[i].size());
    pointers[i] = &slices[i];
  }
  reader_->MayMatch(static_cast<int>(n), pointers.data(), may_match);
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

void FilterWalk::MayMatch(const FilteredKeys::Entries* entries, size_t n,
                          bool* passes) {
  if (readers_.size() > 1) {
    assert(n <= 1);
    if (n == 1) *passes = MayMatch(*entries);
    return;
  }
  std::array<std::string_view, FilterReader::kMaxBatch> keys;
  std::array<bool, FilterReader::kMaxBatch> may_match = {};
  size_t all = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < entries[i].n; ++j) keys[all++] = entries[i].view[j];
  }
  if (all > 0) readers_[0].MayMatch(keys.data(), all, may_match.data());
  all = 0;
  for (size_t i = 0; i < n; ++i) {
    passes[i] = true;
    for (size_t j = 0; j < entries[i].n; ++j) {
      passes[i] = may_match[all++] && passes[i];
    }
  }
}

}  // namespace oneline
