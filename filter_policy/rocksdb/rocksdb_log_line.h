// One line in the LOG of each database, about what writes its filters:
//
//   [default] oneline: version 1.2.3 for RocksDB 7.8.3, avx512, fp_rate=0.01
//
// No call that opens a database has a LOG, so it stands before the first table.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_

#include <rocksdb/env.h>
#include <rocksdb/version.h>

#include <map>
#include <mutex>
#include <string>

#include "filter_policy/options/filter_options_text.h"
#include "oneline/filter_options.h"
#include "oneline/version.h"
#include "table/simd/instruction_sets.h"

namespace oneline {

// Thread-safe.
class LogLine {
 public:
  // Writes the line to a LOG that does not have it, or for other options; those
  // that have their default values are left out. `log` may be null. Returns
  // whether it wrote.
  bool Write(rocksdb::Logger* log, const std::string& column_family,
             const FilterOptions& options) {
    if (log == nullptr) return false;
    std::string changed = ChangedOptions(options);
    if (changed.empty()) changed = "default options";
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      std::string& written = written_[log];
      if (written == changed) return false;
      written = changed;
    }
    const auto set = static_cast<size_t>(ChosenInstructionSet());
    // Printed at any info_log_level, and again in a LOG that follows this one.
    rocksdb::Header(log, "[%s] oneline: version %s for RocksDB %s, %s, %s",
                    column_family.c_str(), ONELINE_VERSION,
                    rocksdb::GetRocksVersionAsString().c_str(),
                    kInstructionSetNames[set], changed.c_str());
    return true;
  }

  // A database is opened, whose LOG may have the address of an older one.
  void BeginDatabase() {
    const std::lock_guard<std::mutex> lock(mutex_);
    written_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<const rocksdb::Logger*, std::string> written_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_
