// What forbids `oneline refilter` to touch a database, besides what it cannot
// read.

#ifndef ONELINE_TOOLS_REFILTER_GUARDS_H_
#define ONELINE_TOOLS_REFILTER_GUARDS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/database/options_file.h"
#include "tools/manifest/version_edit.h"

namespace oneline {

// Unimplemented if the database was last opened by a version of RocksDB that no
// test has seen, or that is newer than the library of this program.
absl::Status CheckVersion(const OptionsFile& options);

// FailedPrecondition if the file is of another user than this process: the
// database's own program might not be able to read what this one writes.
absl::Status CheckOwner(const std::string& path);

// Where the tables of one column family are. RocksDB looks for a table in the
// directory whose number the MANIFEST has, and nowhere else; which number is
// which directory, no file of the database says.
class TableDirectories {
 public:
  // `others`: directories that tables may be in besides `database`.
  TableDirectories(const std::string& database,
                   std::vector<std::string> others);

  // For each table in turn: FailedPrecondition if the file at `path` may not be
  // the one that RocksDB finds, as when a copy of a table lies in another
  // directory. A new table would lie there, too.
  absl::Status Check(const std::string& path, const TableEntry& entry);

 private:
  std::vector<std::string> all_;
  std::map<std::string, std::string> by_number_, by_directory_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_REFILTER_GUARDS_H_
