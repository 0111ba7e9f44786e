// Everything that `oneline doctor` reads of a database, at one moment.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/command/parallel.h"
#include "tools/database/database_summary.h"
#include "tools/database/log_file.h"
#include "tools/database/log_statistics.h"
#include "tools/database/options_file.h"

namespace oneline {

// The filter policies that the user says a database should have: --expect.
enum class ExpectedPolicy { kUnknown, kOneline, kNone };

class Expectations {
 public:
  // Each text is "oneline" or "none", for all column families that no other
  // text names, or "<column family>:oneline" or "<column family>:none".
  // InvalidArgument for other texts.
  static absl::StatusOr<Expectations> Parse(
      const std::vector<std::string>& texts);

  ExpectedPolicy For(const std::string& column_family) const;
  const std::map<std::string, ExpectedPolicy>& by_family() const {
    return by_family_;
  }

 private:
  ExpectedPolicy of_others_ = ExpectedPolicy::kUnknown;
  std::map<std::string, ExpectedPolicy> by_family_;
};

struct DatabaseSnapshot {
  DatabaseSummary database;

  OptionsFile options;  // the text of the newest OPTIONS file
  LogFile log = {};
  std::optional<LookupStatistics> statistics = {};

  // The OPTIONS file before that one; RocksDB keeps two. Empty, and no text,
  // if there is none.
  std::string older_options_file = {};
  std::optional<OptionsFile> older_options = {};

  std::vector<std::string> other_directories = {};  // --db_paths

  // As in log_file.h, if a column family has no policy.
  std::map<std::string, std::string> policies_in_old_logs = {};

  // What the user says, if anything.
  Expectations expectations = {};
  // Capacity of the cache that all column families share.
  std::optional<double> block_cache_bytes = {};

  // Whether the options of a column family ask for filters, by a valid policy
  // or not; and whether its tables can have some.
  bool AsksForFilters(const std::string& column_family) const;
  bool HasUsableFilters(const ColumnFamilySummary& family) const {
    return family.table_options() != nullptr && AsksForFilters(family.name);
  }
  // For a shell: `command` reads this database.
  std::string Command(const std::string& command) const;
};

// 7 for ".../OPTIONS-000007", 0 for other names.
uint64_t OptionsFileNumber(const std::string& path);

// Only reads; `path` may be open in another process. Tables are read by
// `jobs` threads. Errors: those of SummarizeDatabase; NotFound if there is no
// OPTIONS file; DataLoss if RocksDB can't load the newest one.
absl::StatusOr<DatabaseSnapshot> LoadSnapshot(
    const std::string& path, const std::vector<std::string>& other_directories,
    JobCount jobs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_SNAPSHOT_H_
