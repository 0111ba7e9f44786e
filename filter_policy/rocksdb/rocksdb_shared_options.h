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
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// InvalidArgument, or OK if the error is empty.
rocksdb::Status ToStatus(const std::string& error);

// Stands in the LOG between what is wrong with options and the policy that is
// used instead.
inline constexpr char kUsedInstead[] = ": refused, filters are written with ";

// Options, and the error in them, if any. Thread-safe.
//
// If the filter policy of an OPTIONS file can't be created or configured,
// RocksDB drops it silently and writes tables without filters. So an error made
// before the database is open is kept here, for ValidateOptions to report. From
// 9.8 on, RocksDB drops the errors of SetOptions, too. So mistakes are kept
// here until the next table is written and they can go into the LOG.
class SharedOptions {
 public:
  // `error` is what was wrong at creation. Errors found at creation are sticky:
  // configuring the policy does not clear them. `mistakes`: earlier ones.
  SharedOptions(const FilterOptions& options, const rocksdb::Status& error,
                const std::vector<std::string>& mistakes = {});

  FilterOptions Get() const;
  void Replace(const FilterOptions& options);

  // EffectiveBitsPerKey(options, kind), cached: with fp_rate it is too slow to
  // be computed for every table.
  double BitsPerKey(const FilterOptions& options, Kind kind);

  // Sets one option, by name, from text.
  rocksdb::Status Set(const std::string& name, const std::string& value);

  // The error of creation, or else of the last configuration; or OK.
  rocksdb::Status Error() const;
  rocksdb::Status CreationError() const;

  // Keeps the result of a configuration, OK or not, in place of the last one.
  // Does nothing while a database uses the options: SetOptions then returns the
  // error to its caller and leaves the options unchanged.
  void RecordError(const rocksdb::Status& error);

  // Returns Error(). If it is OK, a database uses the options from now on.
  rocksdb::Status ValidateForOpen();
  // A database uses the options from now on, whatever error there was.
  void BeginUse();
  bool in_use() const;

  // What was refused and is not in the LOG yet.
  std::vector<std::string> mistakes() const;
  std::vector<std::string> TakeMistakes();

 private:
  void AddMistake(const std::string& mistake);  // REQUIRES: mutex_ is held

  mutable std::mutex mutex_;
  rocksdb::Status creation_error_;
  FilterOptions options_;
  rocksdb::Status configuration_error_;  // of the last configuration
  bool in_use_ = false;
  std::vector<std::string> mistakes_;

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
