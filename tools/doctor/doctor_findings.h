// What can be wrong with the filters of a database.

#ifndef ONELINE_TOOLS_DOCTOR_DOCTOR_FINDINGS_H_
#define ONELINE_TOOLS_DOCTOR_DOCTOR_FINDINGS_H_

#include <rocksdb/options.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/database/database_summary.h"
#include "tools/database/log_file.h"
#include "tools/database/options_file.h"

namespace oneline {

// Tables of one level that a finding is about.
struct LevelTables {
  int level = 0;
  uint64_t tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  double expected_bytes = 0;  // what the options would write; 0: not the point
};

struct Finding {
  std::string kind;           // a short name for programs, as "no-filter"
  std::string column_family;  // empty: of the whole database
  std::string what;           // sentences
  std::string remedy;         // sentences
  std::vector<std::string> commands;  // of the remedy, for a shell
  std::vector<LevelTables> levels;
};

// What is known of a database.
struct Patient {
  DatabaseSummary database;
  rocksdb::DBOptions db_options;  // what the OPTIONS file says, as far as known
  OptionsFile options;
  // The OPTIONS file before, if there is one.
  std::string older_options_file;
  std::optional<OptionsFile> older_options;
  LogFile log;
  std::optional<double> block_cache_bytes;  // as told by the user
};

struct Diagnosis {
  std::vector<Finding> findings;
  std::vector<std::string> notes;  // what could not be judged
};

Diagnosis Diagnose(const Patient& patient);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DOCTOR_FINDINGS_H_
