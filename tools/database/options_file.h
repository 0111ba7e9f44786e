// The text of an OPTIONS file: what it says, also of things that this program
// does not know and that RocksDB therefore drops without a word when it loads
// the file.
//
//   [CFOptions "default"]
//     comparator=leveldb.BytewiseComparator
//   [TableOptions/BlockBasedTable "default"]
//     filter_policy={id=oneline;bits_per_key=10;}      # up to here a value
//
// A '#' without a '\' before it begins a comment.

#ifndef ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_
#define ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// The section that a column family's filter policy stands in.
inline constexpr char kTableSection[] = "TableOptions/BlockBasedTable";

class OptionsFile {
 public:
  // Errors: NotFound if there is no text at `path`.
  static absl::StatusOr<OptionsFile> Load(const std::string& path);
  explicit OptionsFile(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }

  // The value of an option as it is written there; nothing if there is none.
  // `section`: "CFOptions" or kTableSection.
  std::optional<std::string> Get(std::string_view section,
                                 std::string_view column_family,
                                 std::string_view name) const;

  // Of all sections of this name, in the order of the file.
  std::vector<std::string> ColumnFamilies(std::string_view section) const;

  // Changes an option's value, or adds a line with it where the section begins,
  // and not one byte else. NotFound if there is no such section.
  absl::Status Set(std::string_view section, std::string_view column_family,
                   std::string_view name, std::string_view value);

 private:
  std::string text_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_
