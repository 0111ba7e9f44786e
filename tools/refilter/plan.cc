#include "tools/refilter/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "filter_policy/refilter/expected_filter.h"
#include "tools/advise/column_family_model.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"
#include "tools/database/options_file.h"
#include "tools/refilter/guards.h"
#include "tools/refilter/replay.h"
#include "tools/rewrite/table_rewrite.h"
#include "tools/sst/filter_facts.h"

namespace oneline {
namespace {

struct FilterSize {
  double bytes = 0;
  double fp_rate = 1;
};

// Of the filter for so many keys: of a sample, from which larger ones follow.
FilterSize SizeOf(const FilterRequest& request, bool is_last, uint32_t level,
                  uint64_t keys) {
  constexpr uint64_t kMaxSampleKeys = 20000;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder =
      request.NewBuilder(level, is_last);
  if (builder == nullptr || keys == 0) return {};
  const uint64_t sample = std::min(keys, kMaxSampleKeys);
  for (uint64_t i = 0; i < sample; ++i) {
    builder->AddKey(absl::StrCat("key", i));
  }
  std::unique_ptr<const char[]> owner;
  const rocksdb::Slice block = builder->Finish(&owner);
  const absl::StatusOr<FilterFacts> facts =
      FactsOf({block.data(), block.size()});
  return {static_cast<double>(block.size()) * static_cast<double>(keys) /
              static_cast<double>(sample),
          facts.ok() ? facts->fp_rate : 1};
}

class Planner {
 public:
  Planner(const Disk& disk, const RefilterTask& task)
      : disk_(disk), task_(task) {}

  absl::StatusOr<RefilterPlan> Plan();

 private:
  absl::Status Load();
  absl::Status ChooseFamilies();
  absl::StatusOr<ConfiguredPolicy> PolicyFor(const ColumnFamilySummary& family);
  absl::Status AddFamily(const ColumnFamilySummary& family);
  void AddTables(const ColumnFamilySummary& family,
                 FilterExpectations* filters);
  void CountLevels(const ColumnFamilySummary& family,
                   const std::set<uint64_t>& rewritten);
  bool IsAsRequested(const TableSummary& table, int last_level,
                     const TableTail& tail, const std::string& request,
                     FilterExpectations* filters);
  const Manifest::Family* Find(const std::string& name, uint32_t* id) const;
  void Refuse(absl::string_view what, const absl::Status& status) {
    plan_.refusals.push_back(absl::StrCat(what, ": ", status.message()));
  }
  double KeysOfAll() const;

  const Disk& disk_;
  const RefilterTask& task_;
  DatabaseSummary database_;
  std::optional<OptionsFile> options_;
  std::vector<const ColumnFamilySummary*> chosen_;
  RefilterPlan plan_;
};

absl::Status Planner::Load() {
  absl::StatusOr<CurrentManifest> current = ReadCurrent(disk_, task_.database);
  if (!current.ok()) return current.status();
  plan_.current = *std::move(current);
  absl::StatusOr<DatabaseSummary> database =
      SummarizeDatabase(task_.database, task_.db_paths, task_.jobs);
  if (!database.ok()) return database.status();
  database_ = *std::move(database);
  if (!database_.options_status.ok()) return database_.options_status;
  plan_.options_file = database_.options_file;
  absl::StatusOr<OptionsFile> options =
      OptionsFile::Load(database_.options_file);
  if (!options.ok()) {
    return absl::NotFoundError(
        absl::StrCat(task_.database, ": has no OPTIONS file"));
  }
  options_ = *std::move(options);
  const absl::Status version = CheckVersion(*options_);
  if (!version.ok()) Refuse(database_.options_file, version);
  const absl::Status owner = CheckOwner(task_.database + "/CURRENT");
  if (!owner.ok()) Refuse(task_.database, owner);
  return CheckListing(task_.database, plan_.current.manifest);
}

// All, or those with the names given. A single name may contain commas.
absl::Status Planner::ChooseFamilies() {
  std::set<std::string> wanted;
  if (!task_.column_families.empty()) {
    wanted = absl::StrSplit(task_.column_families, ',');
  }
  for (const ColumnFamilySummary& family : database_.column_families) {
    if (family.name == task_.column_families) wanted = {family.name};
  }
  for (const ColumnFamilySummary& family : database_.column_families) {
    if (task_.column_families.empty() || wanted.erase(family.name) > 0) {
      chosen_.push_back(&family);
    }
  }
  if (wanted.empty()) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      task_.database, ": has no column family '", *wanted.begin(), "'"));
}

double Planner::KeysOfAll() const {
  uint64_t keys = 0;
  for (const ColumnFamilySummary* family : chosen_) {
    for (const TableSummary& table : family->tables) {
      keys += table.keys_to_filter();
    }
  }
  return static_cast<double>(keys);
}

// With --memory the bits that waste the fewest reads; column families get
// memory by their keys, as in `oneline advise`.
absl::StatusOr<ConfiguredPolicy> Planner::PolicyFor(
    const ColumnFamilySummary& family) {
  const std::string text =
      task_.policy.value_or(options_->FilterPolicy(family.name));
  ConfiguredPolicy policy = PolicyInOptions(text);
  if (!policy.problem.ok()) {
    return absl::Status(policy.problem.code(),
                        absl::StrCat("the filter policy '", text,
                                     "': ", policy.problem.message()));
  }
  if (!task_.memory.has_value()) return policy;
  if (task_.policy.has_value() && !policy.options.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--memory chooses bits of our filters, not of '", text, "'"));
  }
  const ColumnFamilyModel model = ColumnFamilyModel::Create(family, policy);
  if (model.keys() == 0) return policy;
  const ColumnFamilyAdvice advice = model.WithMemory(
      *task_.memory * static_cast<double>(model.keys()) / KeysOfAll());
  return PolicyInOptions(PolicyText(advice.proposal));
}

const Manifest::Family* Planner::Find(const std::string& name,
                                      uint32_t* id) const {
  for (const auto& [number, family] : plan_.current.manifest.families()) {
    if (family.name != name) continue;
    *id = number;
    return &family;
  }
  return nullptr;
}

bool Planner::IsAsRequested(const TableSummary& table, int last_level,
                            const TableTail& tail, const std::string& request,
                            FilterExpectations* filters) {
  const auto written = tail.properties.find(kRequestProperty);
  if (written != tail.properties.end()) return written->second == request;
  if (filters == nullptr) return table.kind == kNoFilter;
  return filters->Judge(table, table.file.level, last_level) ==
         Verdict::kAsExpected;
}

void Planner::AddTables(const ColumnFamilySummary& family,
                        FilterExpectations* filters) {
  const size_t index = plan_.families.size() - 1;
  const FamilyPlan& planned = plan_.families.back();
  uint32_t id = 0;
  const Manifest::Family& tables = *Find(family.name, &id);
  uint32_t last_level = 0;
  for (const auto& [number, entry] : tables.tables) {
    last_level = std::max(last_level, entry.level);
  }
  TableDirectories directories(task_.database, task_.db_paths);
  std::vector<PlannedTable> all;
  std::set<std::pair<uint32_t, uint64_t>> changed;  // level, sequence if 0
  const auto unit = [](const TableEntry& entry) {
    return std::make_pair(
        entry.level, entry.level == 0 ? entry.largest_sequence : entry.number);
  };
  for (const TableSummary& table : family.tables) {
    const TableEntry& entry = tables.tables.at(table.file.number);
    const bool is_last = entry.level == last_level;
    const std::string request = absl::StrCat(
        planned.policy, " at level ", entry.level, is_last ? ", the last" : "");
    const absl::StatusOr<TableTail> tail = CheckRewritable(
        disk_, table.file.path, entry, planned.request->policy() != nullptr);
    absl::Status status = tail.ok() ? table.status : tail.status();
    if (status.ok()) status = directories.Check(table.file.path, entry);
    if (!status.ok()) {
      Refuse(table.file.path, status);
      continue;
    }
    all.push_back({index, table.file.path, entry, is_last, request});
    if (!IsAsRequested(table, static_cast<int>(last_level), *tail, request,
                       filters)) {
      changed.insert(unit(entry));
    }
  }
  std::set<uint64_t> rewritten;
  for (PlannedTable& table : all) {
    if (changed.count(unit(table.entry)) == 0) {
      ++plan_.tables_kept;
      continue;
    }
    rewritten.insert(table.entry.number);
    plan_.bytes += table.entry.bytes;
    plan_.tables.push_back(std::move(table));
  }
  CountLevels(family, rewritten);
}

void Planner::CountLevels(const ColumnFamilySummary& family,
                          const std::set<uint64_t>& rewritten) {
  const FamilyPlan& planned = plan_.families.back();
  std::map<int, RefilteredLevel> levels;
  for (const TableSummary& table : family.tables) {
    levels[table.file.level].keys += table.keys_to_filter();
  }
  for (const TableSummary& table : family.tables) {
    RefilteredLevel& level = levels[table.file.level];
    level.level = table.file.level;
    ++level.tables;
    const double before = static_cast<double>(table.filter_bytes);
    FilterSize after = {before, table.fp_rate};
    const uint64_t keys = table.keys_to_filter();
    if (rewritten.count(table.file.number) > 0) {
      ++level.rewritten;
      after = SizeOf(*planned.request, level.level == levels.rbegin()->first,
                     static_cast<uint32_t>(level.level), keys);
    }
    // Of a deeper level a lookup asks one table.
    const double share =
        level.level == 0
            ? 1
            : static_cast<double>(keys) /
                  static_cast<double>(std::max<uint64_t>(level.keys, 1));
    level.bytes_before += before;
    level.bytes_after += after.bytes;
    level.false_positives_before += share * table.fp_rate;
    level.false_positives_after += share * after.fp_rate;
  }
  for (const auto& [number, level] : levels) {
    plan_.families.back().levels.push_back(level);
  }
}

absl::Status Planner::AddFamily(const ColumnFamilySummary& family) {
  FamilyPlan planned;
  planned.name = family.name;
  if (Find(family.name, &planned.id) == nullptr) {
    return absl::DataLossError(
        absl::StrCat("the MANIFEST has no column family ", family.name));
  }
  const rocksdb::BlockBasedTableOptions* const table = family.table_options();
  if (table == nullptr) {
    plan_.refusals.push_back(absl::StrCat("column family ", family.name,
                                          ": its tables are not block-based"));
    return absl::OkStatus();
  }
  const absl::StatusOr<ConfiguredPolicy> policy = PolicyFor(family);
  if (!policy.ok()) return policy.status();
  planned.policy = policy->policy == nullptr ? "nullptr" : policy->ShortText();
  planned.policy_in_options =
      PolicyInOptions(options_->FilterPolicy(family.name)).ShortText();
  planned.request = std::make_shared<FilterRequest>(family.name, policy->policy,
                                                    family.options, *table);
  std::optional<FilterExpectations> filters;
  if (policy->policy != nullptr) {
    filters.emplace(policy->policy, family.name, family.options, *table);
  }
  plan_.families.push_back(std::move(planned));
  AddTables(family, filters.has_value() ? &*filters : nullptr);
  return absl::OkStatus();
}

absl::StatusOr<RefilterPlan> Planner::Plan() {
  absl::Status status = Load();
  if (status.ok()) status = ChooseFamilies();
  if (!status.ok()) return status;
  for (const ColumnFamilySummary* family : chosen_) {
    status = AddFamily(*family);
    if (!status.ok()) return status;
  }
  return std::move(plan_);
}

}  // namespace

absl::StatusOr<RefilterPlan> MakePlan(const Disk& disk,
                                      const RefilterTask& task) {
  return Planner(disk, task).Plan();
}

std::vector<std::vector<size_t>> BatchesOf(const RefilterPlan& plan,
                                           uint64_t batch_bytes) {
  const auto unit = [&](size_t i) {
    const PlannedTable& table = plan.tables[i];
    const TableEntry& entry = table.entry;
    return std::make_tuple(
        table.family, entry.level,
        entry.level == 0 ? entry.largest_sequence : entry.number);
  };
  std::vector<size_t> order(plan.tables.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(unit(a), plan.tables[a].entry.number) <
           std::make_pair(unit(b), plan.tables[b].entry.number);
  });
  std::vector<std::vector<size_t>> batches;
  uint64_t bytes = 0;
  for (const size_t i : order) {
    const uint64_t more = plan.tables[i].entry.bytes;
    const bool goes_on =
        !batches.empty() &&
        (bytes + more <= batch_bytes || unit(batches.back().back()) == unit(i));
    if (!goes_on) {
      batches.emplace_back();
      bytes = 0;
    }
    batches.back().push_back(i);
    bytes += more;
  }
  return batches;
}

}  // namespace oneline
