// One line in the LOG of each database, about what writes its filters:
//
//   [default] oneline: version 0.1.0 for RocksDB 7.8.3, avx512, fp_rate=0.01
//
// No call that opens a database has a LOG, so it stands before the first table.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_

#include <rocksdb/env.h>

#include <map>
#include <mutex>
#include <string>

#include "oneline/filter_options.h"

namespace oneline {

// Thread-safe.
class LogLine {
 public:
  // Writes the line to a LOG that does not have it, or for other options; those
  // that have their default values are left out. `log` may be null.
  void Write(rocksdb::Logger* log, const std::string& column_family,
             const FilterOptions& options);

  // A database is opened, whose LOG may have the address of an older one.
  void BeginDatabase();

 private:
  std::mutex mutex_;
  std::map<const rocksdb::Logger*, std::string> written_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_LOG_LINE_H_
