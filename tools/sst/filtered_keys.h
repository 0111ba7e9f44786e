// What a table put into its filter: whole keys, prefixes, or both.

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

// Thread-safe.
class FilteredKeys {
 public:
  explicit FilteredKeys(const rocksdb::TableProperties& properties);

  bool whole_keys() const { return whole_keys_; }

  // Not empty if prefixes are in the filter but cannot be computed, because
  // this program does not have their extractor: its name.
  const std::string& unknown_extractor() const { return unknown_extractor_; }

  // The entries of one key in the filter: view[0 .. n - 1]. The views are valid
  // as long as the key.
  struct Entries {
    std::array<std::string_view, 2> view;
    size_t n = 0;
    bool has_prefix = false;  // then the last view is the prefix
    rocksdb::Slice slice(size_t i) const {
      return {view[i].data(), view[i].size()};
    }
  };
  Entries Of(std::string_view key) const;

 private:
  bool whole_keys_ = true;
  std::shared_ptr<const rocksdb::SliceTransform> prefixes_;
  std::string unknown_extractor_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTERED_KEYS_H_
