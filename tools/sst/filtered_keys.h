// What of its keys a table put into its filter: whole keys, prefixes, or both.

#ifndef ONELINE_TOOLS_SST_FILTERED_KEYS_H_
#define ONELINE_TOOLS_SST_FILTERED_KEYS_H_

#include <rocksdb/slice.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table_properties.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace oneline {

class FilteredKeys {
 public:
  explicit FilteredKeys(const rocksdb::TableProperties& properties);

  bool whole_keys() const { return whole_keys_; }
  bool prefixes() const { return prefixes_ != nullptr; }

  // The extractor whose prefixes are in the filter, but which this program
  // does not have; empty if there is none such.
  const std::string& unknown_extractor() const { return unknown_extractor_; }

  // What stands in the filter for one key. Views of the key, or of a result of
  // the extractor that lives as long.
  struct Entries {
    std::array<std::string_view, 2> view;
    size_t n = 0;
    bool has_prefix = false;  // the last one
  };
  Entries Of(std::string_view key) const;

 private:
  bool whole_keys_ = true;
  std::shared_ptr<const rocksdb::SliceTransform> prefixes_;
  std::string unknown_extractor_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTERED_KEYS_H_
