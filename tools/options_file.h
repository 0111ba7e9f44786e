// The text of an OPTIONS file: what it says, also of things that this program
// does not know and that RocksDB therefore drops without a word when it loads
// the file.
//
//   [CFOptions "default"]
//     comparator=leveldb.BytewiseComparator
//   [TableOptions/BlockBasedTable "default"]
//     filter_policy={id=oneline;bits_per_key=10;}

#ifndef ONELINE_TOOLS_OPTIONS_FILE_H_
#define ONELINE_TOOLS_OPTIONS_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

class OptionsFile {
 public:
  static absl::StatusOr<OptionsFile> Load(const std::string& path);

  // The value of an option as it is written there; nothing if there is none.
  // `section`: "CFOptions" or "TableOptions/BlockBasedTable".
  std::optional<std::string> Get(std::string_view section,
                                 std::string_view column_family,
                                 std::string_view name) const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_OPTIONS_FILE_H_
