#include "tests/filter_policy/set_filter_options.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <fstream>
#include <sstream>
#include <unordered_map>

#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {

rocksdb::Status SetFilterOptions(const ScratchDatabase& database,
                                 const std::string& options, Form form,
                                 rocksdb::ColumnFamilyHandle* family) {
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

PolicyPtr PolicyOf(const ScratchDatabase& database,
                   rocksdb::ColumnFamilyHandle* family) {
  const rocksdb::Options options =
      database->GetOptions(database.Family(family));
  return options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>()
      ->filter_policy;
}

std::string PolicyTextOf(const ScratchDatabase& database,
                         rocksdb::ColumnFamilyHandle* family) {
  const PolicyPtr policy = PolicyOf(database, family);
  return policy == nullptr ? "nullptr"
                           : policy->ToString(rocksdb::ConfigOptions());
}

void ExpectRefused(const rocksdb::Status& status,
                   const std::vector<std::string>& parts) {
  if (kSetOptionsRemakesPolicy) {
    EXPECT_TRUE(status.ok()) << status.ToString();
    return;
  }
  EXPECT_FALSE(status.ok());
  for (const std::string& part : parts) {
    EXPECT_NE(status.ToString().find(part), std::string::npos)
        << "no \"" << part << "\" in: " << status.ToString();
  }
}

int CountInLog(const ScratchDatabase& database,
               std::initializer_list<std::string> parts) {
  int lines = 0;
  std::ifstream log(database.path() + "/LOG");
  for (std::string line; std::getline(log, line);) {
    bool has_all = true;
    for (const std::string& part : parts) {
      has_all = has_all && line.find(part) != std::string::npos;
    }
    lines += has_all;
  }
  return lines;
}

}  // namespace oneline
