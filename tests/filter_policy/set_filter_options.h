// SetOptions of a filter policy, for tests: in each form, and what must follow
// in each version of RocksDB.

#ifndef ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_

#include <unordered_map>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {

enum class Form {
  kWhole,   // block_based_table_factory = {filter_policy={bits_per_key=12}}
  kDotted,  // table_factory.filter_policy.bits_per_key = 12
};

// `options`: "<name>=<value>;...". A null family is the default one.
inline rocksdb::Status SetFilterOptions(
    const ScratchDatabase& database, const std::string& options,
    Form form = Form::kWhole, rocksdb::ColumnFamilyHandle* family = nullptr) {
  std::unordered_map<std::string, std::string> changes;
  if (form == Form::kWhole) {
    changes["block_based_table_factory"] = "{filter_policy={" + options + "}}";
  } else {
    std::istringstream all(options);
    for (std::string option; std::getline(all, option, ';');) {
      const size_t equal = option.find('=');
      changes["table_factory.filter_policy." + option.substr(0, equal)] =
          option.substr(equal + 1);
    }
  }
  return database->SetOptions(database.Family(family), changes);
}

// The policy that the next table gets.
inline PolicyPtr PolicyOf(const ScratchDatabase& database,
                          rocksdb::ColumnFamilyHandle* family = nullptr) {
  return database->GetOptions(database.Family(family))
      .table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
      ->filter_policy;
}

// Its options as text.
inline std::string PolicyTextOf(const ScratchDatabase& database,
                                rocksdb::ColumnFamilyHandle* family = nullptr) {
  const PolicyPtr policy = PolicyOf(database, family);
  return policy == nullptr ? "nullptr"
                           : policy->ToString(rocksdb::ConfigOptions());
}

// The status of SetOptions with a mistake in it: an error that contains all of
// `parts`, or OK where RocksDB drops the error.
inline void ExpectRefused(const rocksdb::Status& status,
                          const std::vector<std::string>& parts = {}) {
  EXPECT_EQ(status.ok(), kSetOptionsRemakesPolicy) << status.ToString();
  if (kSetOptionsRemakesPolicy) return;
  for (const std::string& part : parts) {
    EXPECT_NE(status.ToString().find(part), std::string::npos)
        << "no \"" << part << "\" in: " << status.ToString();
  }
}

// The lines of the LOG that contain all of `parts`.
inline int CountInLog(const ScratchDatabase& database,
                      const std::vector<std::string>& parts) {
  int lines = 0;
  std::ifstream log(database.path() + "/LOG");
  for (std::string line; std::getline(log, line);) {
    lines += std::all_of(
        parts.begin(), parts.end(),
        [&](const std::string& part) { return line.find(part) != line.npos; });
  }
  return lines;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SET_FILTER_OPTIONS_H_
