#include "tools/doctor/family.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "filter_policy/options/filter_options_text.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// The policy that a family's program had by the newest LOG; null if the LOG
// does not say.
const std::optional<std::string>* PolicyInLog(const Family& family) {
  const auto& policies = family.snapshot.log.filter_policies;
  if (policies.empty()) return nullptr;
  const auto found = policies.find(family.name());
  if (found != policies.end()) return &found->second;
  // RocksDB prints the options of ten column families at most: those of the
  // others are as in these, if they all agree.
  const std::optional<std::string>& first = policies.begin()->second;
  const bool all_agree =
      std::all_of(policies.begin(), policies.end(),
                  [&](const auto& policy) { return policy.second == first; });
  return all_agree ? &first : nullptr;
}

std::string InFile(const std::string& path, const std::string& policy) {
  return absl::StrCat(std::filesystem::path(path).filename().string(),
                      " has filter_policy=", policy);
}

}  // namespace

bool Family::has_prefixes() const {
  return snapshot.options.GetObject("CFOptions", name(), "prefix_extractor")
      .has_value();
}

bool Family::is_as_expected() const {
  if (expected == ExpectedPolicy::kUnknown) return true;
  if (expected == ExpectedPolicy::kNone) return !policy.wanted();
  // The program that opened the database last had the one in the newest OPTIONS
  // file, or ours in place of it.
  const std::optional<std::string>* const logged = PolicyInLog(*this);
  return policy.is_ours() || (logged == nullptr ? policy.options.has_value()
                                                : *logged == kPolicyName);
}

bool Family::is_replaced() const {
  const std::optional<std::string>* const logged = PolicyInLog(*this);
  return !policy.is_ours() && !policy.options.has_value() &&
         logged != nullptr && *logged == kPolicyName;
}

bool Family::has_default_options() const {
  return policy.is_ours() && policy.options.has_value() &&
         policy.ShortText() == PolicyText(FilterOptions());
}

std::string Family::PolicyInFile() const {
  return InFile(snapshot.database.options_file, policy.ShortText());
}

std::string Family::OlderPolicyInFile() const {
  return InFile(snapshot.older_options_file, older_policy.ShortText());
}

std::string Family::section() const {
  return absl::StrCat("[", kTableSection, " \"", name(), "\"]");
}

Finding Family::Note(const std::string& text) const {
  return {FindingKind::kNote, name(),
          absl::StrCat("column family '", name(), "': ", text)};
}

Families FamiliesOf(const DatabaseSnapshot& snapshot) {
  Families families;
  for (const ColumnFamilySummary& summary : snapshot.database.column_families) {
    std::optional<std::string> older;
    if (snapshot.older_options.has_value()) {
      older = snapshot.older_options->FilterPolicy(summary.name);
    }
    families.push_back(
        {snapshot, summary,
         PolicyInOptions(snapshot.options.FilterPolicy(summary.name)),
         PolicyInOptions(older),
         ExpectedFor(summary.name, snapshot.expectations)});
  }
  return families;
}

void TablesByLevel::Add(const TableSummary& table, double expected_bytes,
                        double most_expected_bytes) {
  if (levels_.empty() || levels_.back().level != table.file.level) {
    levels_.emplace_back().level = table.file.level;
  }
  AffectedLevel& level = levels_.back();
  ++level.tables;
  level.keys += table.keys;
  level.filter_bytes += table.filter_bytes;
  level.expected_bytes += expected_bytes;
  level.most_expected_bytes += most_expected_bytes;
}

std::string TablesByLevel::Count(const char* singular,
                                 const char* plural) const {
  uint64_t tables = 0;
  for (const AffectedLevel& level : levels_) tables += level.tables;
  return absl::StrCat(WithCommas(tables), " of ",
                      Tables(family_.summary.tables.size()), " ",
                      tables == 1 ? singular : plural);
}

}  // namespace oneline
