// The options of a policy as RocksDB handles them: parsed from and printed to
// OPTIONS files by name, changed by SetOptions while tables are being built.
// Errors in them are kept until RocksDB asks for them.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "oneline/filter_options.h"

namespace oneline {

// InvalidArgument, or OK if the error is empty.
rocksdb::Status ToStatus(const std::string& error);

// Stands in the LOG between what is wrong with options and the policy that is
// used instead.
inline constexpr char kUsedInstead[] = ": refused, filters are written with ";

// Options, and what was wrong with the last text for them. Thread-safe.
//
// If the filter policy of an OPTIONS file can't be created or configured,
// RocksDB drops it silently and writes tables without filters. So a policy with
// a mistake in its text is made all the same, with the options that it had,
// and the mistake is kept here: ValidateOptions reports it, so that DB::Open
// fails. Where RocksDB does not ask (CreateColumnFamily, SstFileWriter,
// SetOptions from 9.8 on), the LOG has it at each table.
class SharedOptions {
 public:
  struct Values {
    FilterOptions options;
    // As AskedBitsPerKey. REQUIRES: no level_bits_per_key.
    double asked_bits_per_key(Kind kind) const {
      return kind == options.kind ? bits_of_kind : bits_of_bloom;
    }
    double bits_of_kind = 0;
    double bits_of_bloom = 0;  // of tables before bloom_before_level
  };

  // `error`: what is wrong with the options that were asked for.
  // REQUIRES: valid options.
  SharedOptions(const FilterOptions& options, const rocksdb::Status& error);

  Values Get() const;

  // Sets one option, by name, from text. If it is wrong, nothing changes.
  rocksdb::Status Set(const std::string& name, const std::string& value);

  // Keeps what is wrong with a text. If nothing is, it forgets the last
  // mistake, but not an error in the options that the policy was made with, nor
  // what an open database has yet to log: RocksDB sets the old options again
  // after a mistake.
  void RecordMistake(const rocksdb::Status& error);

  // The error that DB::Open is to return. If there is none, a database uses the
  // options from now on.
  rocksdb::Status ValidateForOpen();
  bool in_use() const;

  // What was refused, empty if nothing was. A database that has been opened
  // logs it once, at the next table; others do at each table.
  std::string MistakeToLog();

 private:
  mutable std::mutex mutex_;
  const rocksdb::Status creation_error_;
  rocksdb::Status mistake_;
  Values values_;
  bool in_use_ = false;
};

// How RocksDB parses, prints and compares each of our options, by name. The
// object that RocksDB passes is a SharedOptions.
const std::unordered_map<std::string, rocksdb::OptionTypeInfo>& OptionTypes();

// The options of our policy as they are now; nothing for a policy of others.
std::optional<FilterOptions> OptionsOf(const rocksdb::FilterPolicy& policy);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
