// SetOptions of a filter policy, for tests: in each form, and what must follow
// in each version of RocksDB.

#ifndef ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_

#include <rocksdb/status.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {

enum class Form {
  kWhole,   // block_based_table_factory = {filter_policy={bits_per_key=12}}
  kDotted,  // table_factory.filter_policy.bits_per_key = 12
};

// `options`: "<name>=<value>;...". A null family is the default one.
rocksdb::Status SetFilterOptions(const ScratchDatabase& database,
                                 const std::string& options,
                                 Form form = Form::kWhole,
                                 rocksdb::ColumnFamilyHandle* family = nullptr);

// The policy that the next table gets.
PolicyPtr PolicyOf(const ScratchDatabase& database,
                   rocksdb::ColumnFamilyHandle* family = nullptr);

// Its options as text.
std::string PolicyTextOf(const ScratchDatabase& database,
                         rocksdb::ColumnFamilyHandle* family = nullptr);

// The status of SetOptions with a mistake in it: an error that contains all of
// `parts`, or OK where RocksDB drops the error.
void ExpectRefused(const rocksdb::Status& status,
                   const std::vector<std::string>& parts = {});

// The lines of the LOG that contain all of `parts`.
int CountInLog(const ScratchDatabase& database,
               std::initializer_list<std::string> parts);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_
