// The options of a policy as RocksDB handles them: parsed from and printed to
// OPTIONS files by name, changed by SetOptions while tables are being built.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "filter_policy/options/filter_options_text.h"
#include "oneline/filter_options.h"
#include "oneline/version.h"

namespace oneline {

// InvalidArgument, or OK if the error is empty.
rocksdb::Status ToStatus(const std::string& error);

// RocksDB finds the options of a policy by this name. It has the version: in a
// program with two versions of our shared library neither takes the other's
// options for its own, which may lie otherwise.
inline constexpr char kOptionsName[] = "oneline." ONELINE_VERSION;

// Stands in the LOG between what is wrong with options and the policy that is
// used instead.
inline constexpr char kUsedInstead[] = ": refused, filters are written with ";

// Options, and the mistake in the last text for them. Thread-safe.
//
// If the filter policy of an OPTIONS file can't be created or configured,
// RocksDB drops it silently and writes tables without filters. So a policy with
// a mistake in its text is made all the same, with the options that it had, and
// DB::Open returns the mistake. Where RocksDB does not ask (CreateColumnFamily,
// SstFileWriter, SetOptions from 9.8 on), the LOG has it at each table.
//
// Errors are texts: RocksDB can be built so that a Status that nobody looks at
// ends the program.
class SharedOptions {
 public:
  // `mistake`: what is wrong with the options that were given, for good;
  // empty if nothing is. REQUIRES: valid options.
  SharedOptions(const FilterOptions& options, const std::string& mistake);

  FilterOptions Get() const;

  // Sets an option by name; those that it excludes are unset. Returns the
  // mistake if there is one, and nothing changes. It is one if an option was
  // set since the last EndCall() that excludes this one.
  std::string Set(const std::string& name, const std::string& value);

  // RocksDB passes the options of one SetOptions one by one, in an order of its
  // own. It prints all of them before the first and after the last, and that
  // tells where a call ends.
  void EndCall() const;

  // The same for a text for the whole policy, all at once: a table sees all of
  // it or nothing. Once a database uses the options, those that are not named
  // get their defaults: so RocksDB does it from 9.8 on, where it makes a new
  // policy, and before, where it restores the saved options, which lack the
  // defaults, after a mistake in another text. Until then they stay: RocksDB
  // makes a policy of "oneline:9" and sets the rest of {id=oneline:9;...}.
  std::string SetAll(const NamesAndValues& given);

  // Returns the mistake that DB::Open is to report. If there is none, a
  // database uses the options from now on.
  std::string BeginUse();

  // What was refused, empty if nothing was. A database that has been opened
  // logs it once, at the next table; others do at each table.
  std::string TakeMistakeToLog();

 private:
  // REQUIRES: the mutex is locked.
  std::string SetLocked(const NamesAndValues& given, FilterOptions options);

  mutable std::mutex mutex_;
  const bool made_wrong_;  // then the mistake stays
  FilterOptions options_;
  std::string mistake_;
  bool in_use_ = false;
  mutable std::map<std::string, std::string> in_call_;  // since EndCall()
};

// How RocksDB parses, prints and compares each of our options, by name. The
// object that RocksDB passes is a SharedOptions.
const std::unordered_map<std::string, rocksdb::OptionTypeInfo>& OptionTypes();

// The options of our policy as they are now; nothing for a policy of others.
std::optional<FilterOptions> OptionsOf(const rocksdb::FilterPolicy& policy);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_SHARED_OPTIONS_H_
