#include "tools/refilter/plan.h"

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_tables.h"
#include "tools/database/options_file.h"
#include "tools/refilter/guards.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// Nothing is compacted unless it is asked for.
rocksdb::DBOptions OpeningOptions(rocksdb::DBOptions options,
                                  const RefilterTask& task) {
  options.create_if_missing = false;
  options.create_missing_column_families = false;
  options.error_if_exists = false;
  options.best_efforts_recovery = false;  // it deletes the WAL
  options.paranoid_checks = true;
  options.persist_stats_to_disk = false;
  options.skip_stats_update_on_db_open = true;
  options.max_open_files = 500;
  options.max_file_opening_threads = 1;  // RocksDB aborts if it gets only some
  // Before 8.7 RocksDB's default is to read block by block.
  options.compaction_readahead_size =
      std::max<size_t>(options.compaction_readahead_size, 256 << 10);
  for (const std::string& directory : task.db_paths) {
    options.db_paths.emplace_back(directory,
                                  std::numeric_limits<uint64_t>::max());
  }
  return options;
}

// By their texts. Bits by level go by the sizes of all column families that
// share a policy, as those with one text may.
using Policies =
    std::map<std::string, std::shared_ptr<const rocksdb::FilterPolicy>>;

absl::StatusOr<PlannedFamily> PlanFamily(const RefilterTask& task,
                                         const OptionsFile& file,
                                         const ColumnFamilyTables& family,
                                         bool is_chosen, Policies* policies) {
  const ConfiguredPolicy old = PolicyInOptions(file.FilterPolicy(family.name));
  const bool is_given = is_chosen && !task.policy.empty();
  const ConfiguredPolicy policy = is_given ? PolicyInOptions(task.policy) : old;
  const absl::Status status = CheckFamily(file, family, policy);
  if (!status.ok()) return status;
  if (is_chosen && !is_given && policy.policy == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the OPTIONS file asks for no filters in column family '",
                     family.name, "': give --filter_policy, nullptr for none"));
  }
  rocksdb::ColumnFamilyOptions options = family.options;
  rocksdb::BlockBasedTableOptions table = *family.table_options();
  table.filter_policy =
      policies->emplace(policy.text, policy.policy).first->second;
  if (table.filter_policy != nullptr) {
    // Which opening to read does not do; DB::Open returns an error.
    table.filter_policy->ValidateOptions({}, options).PermitUncheckedError();
  }
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.disable_auto_compactions = true;
  // It copies values from file to file, and ends all at a damaged one.
  options.enable_blob_garbage_collection = false;
  return PlannedFamily{
      {family.name, options}, is_chosen, policy.ShortText(), old.ShortText()};
}

// FailedPrecondition if the table has properties that its program collected,
// which new ones would not have. With RocksDB's `policy` of the OPTIONS file,
// unless it is empty, also if the filter is by ours or oneline/level_filters.h,
// for which OPTIONS files name RocksDB's, without its bits by level.
absl::Status CheckNothingIsLost(const rocksdb::Options& options,
                                const std::string& path,
                                const std::string& policy) {
  rocksdb::SstFileReader reader(OptionsToReadTable(options, nullptr));
  const rocksdb::Status status = CallRocksDB([&] { return reader.Open(path); });
  if (!status.ok()) {
    return absl::DataLossError(
        absl::StrCat(path, ": RocksDB can't open it: ", status.ToString()));
  }
  const auto properties = reader.GetTableProperties();
  if (properties == nullptr) return absl::OkStatus();
  const std::string& names = properties->property_collectors_names;
  if (!names.empty() && names != "[]" && names != "N/A") {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": has properties of the collectors ", names,
                     ", which this program does not have:", kCallInProgram));
  }
  TableFilter filter;
  if (policy.empty() || !IsOurPolicy(properties->filter_policy_name) ||
      !ReadTableFilter(options, path, &filter).ok() || IsOurs(filter.kind)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": its filter is by the policy ", filter.policy_name,
      ", with bits by level, for which the OPTIONS file names RocksDB's, ",
      policy, ": give --filter_policy, such as {id=oneline;kind=",
      absl::StartsWith(policy, "ribbon") ? "rocksdb_ribbon" : "rocksdb_bloom",
      ";bits_per_key=10}"));
}

}  // namespace

absl::StatusOr<RefilterPlan> MakePlan(const RefilterTask& task) {
  std::error_code ignored;
  if (fs::is_regular_file(task.database, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat(
        task.database, ": is a file, not the directory of a database"));
  }
  const absl::StatusOr<DatabaseTables> tables =
      TablesAt(task.database, task.db_paths);
  if (!tables.ok()) return tables.status();
  const std::vector<std::string> directories =
      task.db_paths.empty() ? std::vector<std::string>{task.database}
                            : task.db_paths;
  absl::Status status = CheckDatabase(*tables, directories);
  if (!status.ok()) return status;
  const auto chosen =
      ChosenFamilies(tables->column_families, task.column_families);
  if (!chosen.ok()) return chosen.status();
  const OptionsFile& file = *tables->options_text;
  RefilterPlan plan = {task.database,
                       tables->options_file,
                       file.text(),
                       OpeningOptions(tables->db_options, task),
                       {}};
  Policies policies;
  for (const ColumnFamilyTables& family : tables->column_families) {
    absl::StatusOr<PlannedFamily> planned = PlanFamily(
        task, file, family, chosen->count(family.name) > 0, &policies);
    if (!planned.ok()) return planned.status();
    const bool is_of_options = task.policy.empty() && planned->is_chosen &&
                               !PolicyInOptions(planned->policy).is_ours();
    // Of all families, as opening the database can write tables of each.
    for (const TableFile& table : family.tables) {
      status = CheckNothingIsLost(
          {plan.db_options, planned->descriptor.options},
          directories[table.path_id] / fs::path(table.path).filename(),
          is_of_options ? planned->policy : "");
      if (!status.ok()) return status;
    }
    // RocksDB refuses it otherwise.
    if (family.options.compaction_style == rocksdb::kCompactionStyleFIFO) {
      plan.db_options.max_open_files = -1;
    }
    plan.families.push_back(*std::move(planned));
  }
  return plan;
}

}  // namespace oneline
