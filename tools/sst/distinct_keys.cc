#include "tools/sst/distinct_keys.h"

#include <array>
#include <optional>
#include <string>

#include "tools/sst/filter_walk.h"

namespace oneline {
namespace {

constexpr uint64_t kEntriesPerProgress = 1 << 14;

// Looks keys up, some at once if the filter is one block, so that their cache
// misses overlap, and visits them.
class Lookups {
 public:
  Lookups(const SstReader& table, const FilteredKeys& keys,
          const std::function<bool(const DistinctKey&)>& visit)
      : keys_(keys),
        visit_(visit),
        walk_(table.filter_blocks(), keys),
        batch_(table.filter_blocks().size() == 1 ? kMaxBatch : 1) {}

  // All versions of a key follow one another. False if `visit` returned false.
  bool Add(std::string_view key) {
    if (pending_ > 0 && text_[pending_ - 1] == key) return true;
    if (pending_ == batch_ && !Flush()) return false;
    text_[pending_++] = key;
    return true;
  }
  bool Flush();

 private:
  static constexpr size_t kMaxBatch = FilterWalk::kMaxBatch;

  const FilteredKeys& keys_;
  const std::function<bool(const DistinctKey&)>& visit_;
  FilterWalk walk_;
  const size_t batch_;
  size_t pending_ = 0;
  std::array<std::string, kMaxBatch> text_;
  std::optional<std::string> prefix_;  // the last
};

bool Lookups::Flush() {
  std::array<FilteredKeys::Entries, kMaxBatch> entries;
  std::array<bool, kMaxBatch> passes = {};
  for (size_t i = 0; i < pending_; ++i) entries[i] = keys_.Of(text_[i]);
  walk_.MayMatch(entries.data(), pending_, passes.data());
  for (size_t i = 0; i < pending_; ++i) {
    DistinctKey distinct;
    distinct.key = text_[i];
    distinct.entries = entries[i];
    distinct.passes = passes[i];
    distinct.partition = walk_.partition();
    if (entries[i].has_prefix) {
      const std::string_view prefix = entries[i].view[entries[i].n - 1];
      distinct.repeats_prefix = prefix_ == prefix;
      if (!distinct.repeats_prefix) prefix_ = prefix;
    }
    if (!visit_(distinct)) return false;
  }
  pending_ = 0;
  return true;
}

}  // namespace

absl::Status ForEachDistinctKey(
    SstReader& table, const FilteredKeys& keys, const EntryProgress& progress,
    const std::function<bool(const DistinctKey&)>& visit) {
  Lookups lookups(table, keys, visit);
  uint64_t unreported = 0;
  bool is_stopped = false;
  const SstReader::Visitor add = [&](std::string_view key) {
    if (++unreported == kEntriesPerProgress) {
      progress(unreported, table.num_entries());
      unreported = 0;
    }
    is_stopped = !lookups.Add(key);
    return !is_stopped;
  };
  const absl::Status status = table.ForEachEntry(add);
  if (status.ok() && !is_stopped) lookups.Flush();
  progress(unreported, table.num_entries());
  return status;
}

}  // namespace oneline
