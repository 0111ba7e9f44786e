// The options of a policy as RocksDB handles them: parsed from and printed to
// OPTIONS files by name, changed by SetOptions while tables are being built.
// Errors in them are kept until RocksDB asks for them.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_

#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "oneline/filter_options.h"

namespace oneline {

// InvalidArgument, or OK if the error is empty.
rocksdb::Status ToStatus(const std::string& error);

// Options, and the error in them, if any. Thread-safe.
//
// If the filter policy of an OPTIONS file can't be created or configured,
// RocksDB drops it silently and writes tables without filters. So an error made
// before the database is open is kept here, for ValidateOptions to report.
class SharedOptions {
 public:
  // `error` is what was wrong at creation. Errors found at creation are sticky:
  // configuring the policy does not clear them.
  SharedOptions(const FilterOptions& options, const rocksdb::Status& error)
      : creation_error_(error), options_(options) {}

  FilterOptions Get() const;

  // EffectiveBitsPerKey(options, kind), cached: with fp_rate it is too slow to
  // be computed for every table.
  double BitsPerKey(const FilterOptions& options, Kind kind);

  // Sets one option, by name, from text.
  rocksdb::Status Set(const std::string& name, const std::string& value);

  // The error of creation, or else of the last configuration; or OK.
  rocksdb::Status Error() const;

  // Keeps the result of a configuration, OK or not, in place of the last one.
  // Does nothing while a database uses the options: SetOptions then returns the
  // error to its caller and leaves the options unchanged.
  void RecordError(const rocksdb::Status& error);

  // Returns Error(). If it is OK, a database uses the options from now on.
  rocksdb::Status ValidateForOpen();
  bool in_use() const;

 private:
  const rocksdb::Status creation_error_;
  mutable std::mutex mutex_;
  FilterOptions options_;
  rocksdb::Status configuration_error_;  // of the last configuration
  bool in_use_ = false;

  // The bits per key that a kind of filter needs for a rate, last computed.
  struct BitsForRate {
    double fp_rate = 0;
    int effort = 0;
    double bits_per_key = 0;
  };
  std::mutex bits_for_rate_mutex_;
  std::map<Kind, BitsForRate> bits_for_rate_;
};

// How RocksDB parses, prints and compares each of our options, by name. The
// object that RocksDB passes is a SharedOptions.
const std::unordered_map<std::string, rocksdb::OptionTypeInfo>& OptionTypes();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
