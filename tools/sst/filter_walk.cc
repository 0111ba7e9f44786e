#include "tools/sst/filter_walk.h"

#include <algorithm>
#include <cassert>
#include <optional>

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

absl::Status ForEachDistinctKey(
    SstReader& table, const FilteredKeys& keys, const EntryProgress& progress,
    const std::function<bool(const DistinctKey&)>& visit) {
  constexpr uint64_t kEntriesPerProgress = 1 << 14;
  FilterWalk walk(table.filter_blocks(), keys);
  std::optional<std::string> last_key, last_prefix;
  uint64_t unreported = 0;
  const absl::Status status = table.ForEachEntry([&](std::string_view key) {
    if (++unreported == kEntriesPerProgress) {
      progress(unreported, table.num_entries());
      unreported = 0;
    }
    if (last_key == key) return true;  // versions of a key follow one another
    last_key = key;
    DistinctKey distinct;
    distinct.key = *last_key;
    distinct.entries = keys.Of(*last_key);
    distinct.passes = walk.MayMatch(distinct.entries);
    distinct.partition = walk.partition();
    if (distinct.entries.has_prefix) {
      const std::string_view prefix =
          distinct.entries.view[distinct.entries.n - 1];
      distinct.repeats_prefix = last_prefix == prefix;
      if (!distinct.repeats_prefix) last_prefix = prefix;
    }
    return visit(distinct);
  });
  progress(unreported, table.num_entries());
  return status;
}

}  // namespace oneline
