// The options of a policy while RocksDB has it: SetOptions may change them
// while tables are being built, OPTIONS files name them, and what is wrong with
// them must not be lost.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_

#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "oneline/filter_options.h"

namespace oneline {

rocksdb::Status FromAbsl(const absl::Status& status);

// Options, and what is wrong with them. Thread-safe.
//
// RocksDB loads an OPTIONS file without a word when a filter policy in it can't
// be made or configured, and then writes tables without filters. So a mistake
// made before the database is open is kept here, for ValidateOptions to report.
class SharedOptions {
 public:
  // `problem`, if not OK, stays: a policy that was made wrongly is not mended
  // by configuring it.
  SharedOptions(const FilterOptions& options, const rocksdb::Status& problem)
      : made_with_(problem), options_(options) {}

  FilterOptions Get() const;

  // EffectiveBitsPerKey, which is not worked out anew for every table.
  double BitsPerKey(const FilterOptions& options, Kind kind);

  // By name, from text.
  rocksdb::Status Set(const std::string& name, const std::string& value);

  rocksdb::Status Problem() const;

  // Once a database uses the options, SetOptions has told its caller of the
  // mistake and left the options as they were: then there is none to keep.
  void KeepProblem(const rocksdb::Status& problem);

  // The problem; if there is none, a database uses the options from now on.
  rocksdb::Status BeginUse();
  bool in_use() const;

 private:
  const rocksdb::Status made_with_;
  mutable std::mutex mutex_;
  FilterOptions options_;
  rocksdb::Status problem_;  // of the last configuration
  bool in_use_ = false;

  // The bits per key that a kind of filter was last found to need.
  struct BitsForRate {
    double fp_rate = 0;
    int effort = 0;
    double bits_per_key = 0;
  };
  std::mutex bits_for_rate_mutex_;
  std::map<Kind, BitsForRate> bits_for_rate_;
};

// How RocksDB parses, saves and compares our options: each by its name, on a
// SharedOptions.
const std::unordered_map<std::string, rocksdb::OptionTypeInfo>& OptionTypes();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
