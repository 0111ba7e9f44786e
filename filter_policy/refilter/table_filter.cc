#include "filter_policy/refilter/table_filter.h"

#include <rocksdb/cache.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <map>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "table/block/filter_block.h"

namespace oneline {
namespace {

using rocksdb::Status;

class RecordingPolicy final : public rocksdb::FilterPolicy {
 public:
  explicit RecordingPolicy(std::function<void(std::string_view)> see)
      : see_(std::move(see)) {}

  const char* Name() const override { return "oneline.Recording"; }
  const char* CompatibilityName() const override { return kCompatibilityName; }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext&) const override {
    return nullptr;
  }
  // Without a reader RocksDB takes every key for possible.
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    see_(block.ToStringView());
    return nullptr;
  }

 private:
  const std::function<void(std::string_view)> see_;
};

}  // namespace

void FilterBlocks::Add(std::string_view block) {
  DecodedBlock& added = list_.emplace_back();
  added.bytes = block.size();
  added.facts = DecodeFilter(block, &added.error);
  bytes_ += block.size();
}

bool FilterBlocks::ArePartitions(
    const rocksdb::TableProperties& properties) const {
  // filter_size includes the index of the partitions, if there is one.
  return list_.size() > 1 ||
         (bytes_ < properties.filter_size && properties.index_partitions > 0);
}

bool FilterBlocks::AreComplete(
    const rocksdb::TableProperties& properties) const {
  if (list_.empty()) return properties.filter_size == 0;
  return ArePartitions(properties) ? bytes_ < properties.filter_size
                                   : bytes_ == properties.filter_size;
}

void FilterBlocks::Describe(TableFilter* filter) const {
  if (bytes_ == 0) return;
  filter->blocks = list_.size();
  filter->block_bytes = bytes_;
  filter->most_block_bytes = 0;
  std::map<FoundKind, uint64_t> bytes_of_kind;
  for (const DecodedBlock& block : list_) {
    // Readers take a damaged block for "maybe" to every key.
    const FoundKind kind =
        block.facts.has_value() ? block.facts->kind : FoundKind::kDamaged;
    bytes_of_kind[kind] += block.bytes;
    filter->most_block_bytes = std::max(filter->most_block_bytes, block.bytes);
    if (!block.facts.has_value() || !block.facts->trailer.has_value()) continue;
    const Trailer& trailer = *block.facts->trailer;
    // All partitions have the same.
    filter->asked_bits_per_key = trailer.asked_bits_per_key;
    filter->written_level = trailer.level == kUnknownLevel ? -1 : trailer.level;
  }
  uint64_t most = 0;
  for (const auto& [kind, bytes] : bytes_of_kind) {
    if (bytes <= most) continue;
    most = bytes;
    filter->kind = kind;
  }
}

bool IsOurPolicy(const std::string& name) {
  return name == kPolicyName || name.rfind(kHeaderNames, 0) == 0;
}

TableFilter FilterInProperties(const rocksdb::TableProperties& properties) {
  TableFilter filter;
  filter.keys =
      properties.num_entries -
      std::min(properties.num_entries, properties.num_range_deletions);
  filter.merge_operands = properties.num_merge_operands;
  filter.blocks = 1;
  filter.filter_bytes = filter.block_bytes = properties.filter_size;
  filter.index_bytes = properties.index_size;
  filter.index_blocks = std::max<uint64_t>(properties.index_partitions, 1);
  filter.filter_keys = properties.num_filter_entries;
  // Empty without a policy: "N/A" is what RocksDB prints, not what it stores.
  filter.policy_name = properties.filter_policy_name;
  // Of other tables 0.
  filter.is_flushed = properties.oldest_key_time != 0;
  return filter;
}

std::shared_ptr<const rocksdb::FilterPolicy> NewRecordingPolicy(
    std::function<void(std::string_view)> see) {
  return std::make_shared<RecordingPolicy>(std::move(see));
}

rocksdb::Options OptionsToReadTable(
    const rocksdb::Options& options,
    const std::shared_ptr<const rocksdb::FilterPolicy>& policy) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = policy;
  // RocksDB reads the partitions when it opens a table only if there is a block
  // cache to put them into. A small one does: the policy sees them before.
  table.block_cache = rocksdb::NewLRUCache(1 << 20, /*num_shard_bits=*/0);
  rocksdb::Options to_read = options;
  to_read.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  // These are for what the program reads.
  to_read.statistics = nullptr;
  to_read.listeners.clear();
  return to_read;
}

Status ReadTableFilter(const rocksdb::Options& options, const std::string& path,
                       TableFilter* filter) {
  FilterBlocks blocks;
  rocksdb::SstFileReader reader(OptionsToReadTable(
      options,
      NewRecordingPolicy([&](std::string_view block) { blocks.Add(block); })));
  const Status status = CallRocksDB([&] { return reader.Open(path); });
  if (!status.ok()) return status;
  const auto properties = reader.GetTableProperties();
  if (properties == nullptr) {
    return Status::NotSupported("the table has no properties");
  }
  *filter = FilterInProperties(*properties);
  if (blocks.AreComplete(*properties)) {
    blocks.Describe(filter);
  } else {
    filter->kind = FoundKind::kForeign;
  }
  return Status::OK();
}

Status CheckTable(const rocksdb::Options& options, const std::string& path) {
  rocksdb::SstFileReader reader(OptionsToReadTable(options, nullptr));
  rocksdb::ReadOptions read;
  // More leaves the processor's cache before it is read; the kernel reads
  // further ahead by itself.
  read.readahead_size = 256 << 10;
  return CallRocksDB([&] {
    const Status status = reader.Open(path);
    return status.ok() ? reader.VerifyChecksum(read) : status;
  });
}

}  // namespace oneline
