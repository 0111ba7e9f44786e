#include "tools/sst/distinct_keys.h"

#include <optional>
#include <string>

#include "tools/sst/filter_walk.h"

namespace oneline {
namespace {

constexpr uint64_t kEntriesPerProgress = 1 << 14;

// Whether `current` equals the value of the previous call; keeps a copy of it.
class Repeats {
 public:
  bool operator()(std::string_view current) {
    if (previous_ == current) return true;
    previous_ = current;
    return false;
  }

 private:
  std::optional<std::string> previous_;
};

}  // namespace

absl::Status ForEachDistinctKey(
    SstReader& table, const FilteredKeys& keys, const EntryProgress& progress,
    const std::function<bool(const DistinctKey&)>& visit,
    const KeyList* known) {
  FilterWalk walk(table.filter_blocks(), keys);
  Repeats repeats_key, repeats_prefix;
  uint64_t unreported = 0;
  const SstReader::Visitor visit_entry = [&](std::string_view key) {
    if (++unreported == kEntriesPerProgress) {
      progress(unreported, table.num_entries());
      unreported = 0;
    }
    // All versions of a key follow one another.
    if (repeats_key(key)) return true;
    DistinctKey distinct;
    distinct.key = key;
    distinct.entries = keys.Of(key);
    distinct.passes = walk.MayMatch(distinct.entries);
    distinct.partition = walk.partition();
    distinct.repeats_prefix =
        distinct.entries.has_prefix &&
        repeats_prefix(distinct.entries.view[distinct.entries.n - 1]);
    return visit(distinct);
  };
  absl::Status status;
  if (known == nullptr) {
    status = table.ForEachEntry(visit_entry);
  } else {
    known->ForEach(visit_entry);
  }
  progress(unreported, table.num_entries());
  return status;
}

}  // namespace oneline
