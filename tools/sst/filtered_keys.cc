#include "tools/sst/filtered_keys.h"

#include <rocksdb/convenience.h>

namespace oneline {
namespace {

// What RocksDB stores as the name of no extractor.
constexpr char kNoExtractor[] = "nullptr";

// A property with the value "1" or "0"; old versions of RocksDB did not write
// it.
bool IsSet(const rocksdb::TableProperties& properties, const char* name,
           bool if_absent) {
  const auto& collected = properties.user_collected_properties;
  const auto property = collected.find(name);
  return property == collected.end() ? if_absent : property->second == "1";
}

}  // namespace

FilteredKeys::FilteredKeys(const rocksdb::TableProperties& properties)
    : whole_keys_(IsSet(
          properties, "rocksdb.block.based.table.whole.key.filtering", true)) {
  const std::string& extractor = properties.prefix_extractor_name;
  if (!IsSet(properties, "rocksdb.block.based.table.prefix.filtering", false) ||
      extractor.empty() || extractor == kNoExtractor) {
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

FilteredKeys::Entries FilteredKeys::Of(std::string_view key) const {
  Entries entries;
  if (whole_keys_) entries.view[entries.n++] = key;
  const rocksdb::Slice slice(key.data(), key.size());
  if (prefixes_ != nullptr && prefixes_->InDomain(slice)) {
    const rocksdb::Slice prefix = prefixes_->Transform(slice);
    entries.view[entries.n++] = {prefix.data(), prefix.size()};
    entries.has_prefix = true;
  }
  return entries;
}

}  // namespace oneline
