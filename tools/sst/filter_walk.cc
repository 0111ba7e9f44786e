#include "tools/sst/filter_walk.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <cassert>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

// A property with the value "1" or "0"; old versions of RocksDB did not write
// it.
bool IsSet(const rocksdb::TableProperties& properties, const char* name,
           bool if_absent) {
  const auto& collected = properties.user_collected_properties;
  const auto property = collected.find(name);
  return property == collected.end() ? if_absent : property->second == "1";
}

}  // namespace

std::unique_ptr<rocksdb::FilterBitsReader> NewFilterReader(
    std::string_view block) {
  // One policy for all readers: reading does not depend on its options.
  static const rocksdb::FilterPolicy* const policy =
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName);
  return std::unique_ptr<rocksdb::FilterBitsReader>(
      policy->GetFilterBitsReader({block.data(), block.size()}));
}

FilterWalk::FilterWalk(const rocksdb::TableProperties& properties,
                       const std::vector<std::string>& blocks)
    : whole_keys_(IsSet(
          properties, "rocksdb.block.based.table.whole.key.filtering", true)) {
  assert(!blocks.empty());
  for (const std::string& block : blocks) {
    readers_.push_back(NewFilterReader(block));
  }
  const std::string& extractor = properties.prefix_extractor_name;
  if (!IsSet(properties, "rocksdb.block.based.table.prefix.filtering", false) ||
      extractor.empty() || extractor == "nullptr") {
    return;
  }
  rocksdb::ConfigOptions config;
  config.ignore_unsupported_options = false;
  const rocksdb::Status status =
      rocksdb::SliceTransform::CreateFromString(config, extractor, &prefixes_);
  if (!status.ok() || prefixes_ == nullptr) {
    prefixes_ = nullptr;
    unknown_extractor_ = extractor;
  }
}

std::optional<std::string_view> FilterWalk::PrefixOf(
    std::string_view key) const {
  const rocksdb::Slice slice(key.data(), key.size());
  if (prefixes_ == nullptr || !prefixes_->InDomain(slice)) return std::nullopt;
  const rocksdb::Slice prefix = prefixes_->Transform(slice);
  return std::string_view(prefix.data(), prefix.size());
}

bool FilterWalk::MayMatch(std::string_view key) {
  const std::optional<std::string_view> prefix = PrefixOf(key);
  const size_t end = readers_.size();
  const size_t last_end = whole_keys_ ? std::min(partition_ + 2, end) : end;
  for (size_t p = partition_; p < last_end; ++p) {
    const auto passes = [&](std::string_view entry) {
      return readers_[p]->MayMatch({entry.data(), entry.size()});
    };
    if (whole_keys_ && !passes(key)) continue;
    if (prefix.has_value() && !passes(*prefix)) continue;
    partition_ = p;
    return true;
  }
  return false;
}

}  // namespace oneline
