// Fuzz target: an OPTIONS file under our reader, beside RocksDB's.
//
// The input is the file.

#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <fstream>

#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/temporary_directory.h"
#include "tools/database/configured_policy.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

// Whether RocksDB takes every word of the file.
bool LoadStrictly(const std::string& path, Families* families) {
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = false;
  config.ignore_unsupported_options = false;
  rocksdb::DBOptions options;
  return rocksdb::LoadOptionsFromFile(config, path, &options, families).ok();
}

void CheckPolicyOf(const rocksdb::ColumnFamilyDescriptor& family,
                   const OptionsFile& file) {
  if (family.options.table_factory == nullptr) return;
  const auto* const table = family.options.table_factory
                                ->GetOptions<rocksdb::BlockBasedTableOptions>();
  const std::string text = file.FilterPolicy(family.name);
  // RocksDB removes backslashes, and we pass them on to it.
  if (table == nullptr || text.find('\\') != std::string::npos) return;
  const ConfiguredPolicy ours = PolicyInOptions(text);
  if (table->filter_policy == nullptr) {
    Require(ours.policy == nullptr, "RocksDB has no policy, we have", text);
    return;
  }
  // A policy of ours that is wrong says so when a database is opened.
  const bool valid =
      table->filter_policy->ValidateOptions(rocksdb::DBOptions(), {}).ok();
  Require(valid == (ours.state != PolicyState::kWrong),
          "RocksDB finds the mistake that we find", text);
  if (!valid) return;
  const auto theirs = OptionsOf(*table->filter_policy);
  Require(theirs.has_value() == ours.options.has_value() &&
              (!theirs.has_value() ||
               PolicyText(*theirs) == PolicyText(*ours.options)),
          "RocksDB has the policy that we see", text);
}

void CheckAsRocksDB(const std::string& path, const OptionsFile& file) {
  Families families;
  if (!LoadStrictly(path, &families)) return;
  for (const rocksdb::ColumnFamilyDescriptor& family : families) {
    CheckPolicyOf(family, file);
  }
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const TemporaryDirectory directory;
  static const std::string path = directory.File("OPTIONS-000007");
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::ofstream(path, std::ios::binary) << text;
  const absl::StatusOr<OptionsFile> file = OptionsFile::Load(path);
  Require(file.ok() == !text.empty(), "a file that is not empty loads");
  if (!file.ok()) return 0;
  // RocksDB takes a name that goes on behind a dot for the policy's, too, and
  // writes none.
  if (text.find("filter_policy.") != std::string::npos) return 0;
  CheckAsRocksDB(path, *file);
  return 0;
}
