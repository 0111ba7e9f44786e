#include "tools/rewrite/filter_builder.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/sst/filtered_keys.h"

namespace oneline {
namespace {

constexpr uint64_t kEntriesPerCheckpoint = 1 << 14;

// How many keys a partition of so many bytes takes. The smallest filter of some
// policies is larger than small partitions.
uint64_t KeysPerPartition(rocksdb::FilterBitsBuilder& builder,
                          uint64_t partition_bytes) {
  if (partition_bytes == 0) return 0;
  constexpr uint64_t kEnough = 1 << 16;
  for (uint64_t bytes = partition_bytes;; bytes += bytes / 4 + 16) {
    const uint64_t keys = builder.ApproximateNumEntries(bytes);
    if (keys > 0 || bytes > kEnough) return std::max<uint64_t>(keys, 1);
  }
}

class Building {
 public:
  Building(const SstReader& table, rocksdb::FilterBitsBuilder* builder,
           uint64_t partition_bytes)
      : builder_(*builder),
        keys_(table.properties()),
        timestamp_bytes_(table.timestamp_bytes()),
        keys_per_partition_(KeysPerPartition(*builder, partition_bytes)) {}

  // The keys of the table, in its order. False after an error.
  bool Add(std::string_view key);
  absl::StatusOr<BuiltFilter> Finish();

 private:
  void AddPrefix(std::string_view prefix);
  bool FinishBlock();

  rocksdb::FilterBitsBuilder& builder_;
  const FilteredKeys keys_;
  const size_t timestamp_bytes_;
  const uint64_t keys_per_partition_;
  std::optional<std::string> last_prefix_;
  std::optional<std::string> last_key_;  // with its timestamp
  BuiltFilter filter_;
  absl::Status status_;
};

void Building::AddPrefix(std::string_view prefix) {
  if (last_prefix_ == prefix) return;
  last_prefix_ = prefix;
  builder_.AddKey({prefix.data(), prefix.size()});
}

bool Building::Add(std::string_view key) {
  const bool is_first = !last_key_.has_value();
  if (!is_first &&
      std::string_view(*last_key_)
              .substr(0, last_key_->size() - timestamp_bytes_) == key) {
    // An older version of the key.
    last_key_->assign(key.data(), key.size() + timestamp_bytes_);
    return true;
  }
  const FilteredKeys::Entries entries = keys_.Of(key);
  if (keys_per_partition_ > 0 && !is_first &&
      builder_.EstimateEntriesAdded() >= keys_per_partition_) {
    // A seek for a prefix may begin before its first key or, backwards, behind
    // its last one, so that RocksDB asks the partition before or behind.
    const std::optional<std::string> prefix_before = last_prefix_;
    if (entries.has_prefix) AddPrefix(entries.view[entries.n - 1]);
    if (!FinishBlock()) return false;
    if (prefix_before.has_value()) AddPrefix(*prefix_before);
  }
  if (entries.has_prefix) AddPrefix(entries.view[entries.n - 1]);
  if (keys_.whole_keys()) builder_.AddKey({key.data(), key.size()});
  last_key_.emplace(key.data(), key.size() + timestamp_bytes_);
  return true;
}

bool Building::FinishBlock() {
  const uint64_t entries = builder_.EstimateEntriesAdded();
  if (entries == 0 && keys_per_partition_ == 0) return true;
  std::unique_ptr<const char[]> owner;
  rocksdb::Status finished;
  const rocksdb::Slice block = builder_.Finish(&owner, &finished);
  if (finished.ok()) finished = builder_.MaybePostVerify(block);
  if (!finished.ok()) {
    status_ = absl::InternalError(
        absl::StrCat("the filter can't be built: ", finished.ToString()));
    return false;
  }
  last_prefix_.reset();
  filter_.entries += entries;
  filter_.blocks.emplace_back(block.data(), block.size());
  if (keys_per_partition_ > 0) filter_.last_keys.push_back(*last_key_);
  return true;
}

absl::StatusOr<BuiltFilter> Building::Finish() {
  if (status_.ok() && last_key_.has_value()) FinishBlock();
  if (!status_.ok()) return status_;
  if (filter_.entries == 0) return BuiltFilter();
  return std::move(filter_);
}

}  // namespace

FilterRequest::FilterRequest(
    std::string column_family,
    std::shared_ptr<const rocksdb::FilterPolicy> policy,
    const rocksdb::ColumnFamilyOptions& options,
    const rocksdb::BlockBasedTableOptions& table_options)
    : column_family_(std::move(column_family)),
      policy_(std::move(policy)),
      options_(options),
      table_options_(table_options) {}

std::unique_ptr<rocksdb::FilterBitsBuilder> FilterRequest::NewBuilder(
    uint32_t level, bool is_last) const {
  if (policy_ == nullptr) return nullptr;
  if (options_.optimize_filters_for_hits && is_last && level > 0) {
    return nullptr;
  }
  rocksdb::FilterBuildingContext context(table_options_);
  context.column_family_name = column_family_;
  context.compaction_style = options_.compaction_style;
  context.num_levels = options_.num_levels;
  context.info_log = nullptr;
  context.level_at_creation = static_cast<int>(level);
  // Most tables of level 0 are written by flushes.
  context.is_bottommost = is_last && level > 0;
  context.reason = level == 0 ? rocksdb::TableFileCreationReason::kFlush
                              : rocksdb::TableFileCreationReason::kCompaction;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(
      policy_->GetBuilderWithContext(context));
}

absl::StatusOr<BuiltFilter> BuildFilter(SstReader& table,
                                        rocksdb::FilterBitsBuilder& builder,
                                        uint64_t partition_bytes,
                                        const Checkpoint& checkpoint,
                                        KeyList* keys) {
  Building building(table, &builder, partition_bytes);
  uint64_t unreported = 0;
  absl::Status stopped;
  const absl::Status read = table.ForEachEntry([&](std::string_view key) {
    if (++unreported == kEntriesPerCheckpoint) {
      stopped = checkpoint(unreported, table.num_entries());
      if (!stopped.ok()) return false;
      unreported = 0;
    }
    keys->Append(key);
    return building.Add(key);
  });
  if (!stopped.ok()) return stopped;
  if (!read.ok()) return read;
  return building.Finish();
}

}  // namespace oneline
