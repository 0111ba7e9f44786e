// The text of an OPTIONS file: it has what RocksDB silently drops when it loads
// the file, such as an unknown filter policy.
//
//   [CFOptions "default"]
//     comparator=leveldb.BytewiseComparator
//   [TableOptions/BlockBasedTable "default"]
//     filter_policy={id=oneline;bits_per_key=10;}      # a comment
//
// Spaces around names and values do not count. A '#' begins a comment, except
// after a '\'. As in RocksDB, a last line without a newline does not count, and
// of sections with the same name the last one does, of its lines for an option
// the first.

#ifndef ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_
#define ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace oneline {

// The section that has a column family's filter policy.
inline constexpr char kTableSection[] = "TableOptions/BlockBasedTable";

// What stands there for an object that there is not.
inline constexpr char kNoObject[] = "nullptr";

// The files PREFIX<number> of a directory, by number.
std::map<uint64_t, std::string> NumberedFiles(const std::string& directory,
                                              std::string_view prefix);

class OptionsFile {
 public:
  // Errors: Unavailable if the system does not let it be read, NotFound if it
  // is empty. (TablesAt refuses FIFOs, for whose writer this would wait.)
  static absl::StatusOr<OptionsFile> Load(const std::string& path);
  explicit OptionsFile(std::string_view text);

  const std::string& text() const { return text_; }

  // `section`: "CFOptions" or kTableSection.
  bool HasSection(std::string_view section,
                  std::string_view column_family) const {
    return options_.count({std::string(section), std::string(column_family)}) >
           0;
  }

  // The value of an option, as the file spells it; nothing if there is none.
  std::optional<std::string> Get(std::string_view section,
                                 std::string_view column_family,
                                 std::string_view name) const;

  // The same of an option whose value is an object, such as a prefix extractor;
  // kNoObject if there is none.
  std::string Object(std::string_view section, std::string_view column_family,
                     std::string_view name) const;
  std::string FilterPolicy(std::string_view column_family) const {
    return Object(kTableSection, column_family, "filter_policy");
  }

 private:
  using Header = std::pair<std::string, std::string>;  // section and family

  std::string text_;
  std::map<Header, std::map<std::string, std::string>> options_;  // by name
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_OPTIONS_FILE_H_
