#include "tools/doctor/family.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/refilter/table_filter.h"
#include "tools/text/number_text.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

std::string PolicyInLog(const LogFile& log, const std::string& family) {
  const auto found = log.filter_policies.find(family);
  if (found != log.filter_policies.end()) return found->second;
  // RocksDB prints the options of ten column families at most: those of the
  // others are as in these, if they all agree.
  std::set<std::string> all;
  for (const auto& [name, policy] : log.filter_policies) all.insert(policy);
  return all.size() == 1 ? *all.begin() : "";
}

std::optional<bool> ExpectedFor(const std::string& family,
                                const Expectations& expectations) {
  for (const std::string& name : {family, std::string()}) {
    const auto found = expectations.find(name);
    if (found != expectations.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace

bool Family::has_prefixes() const {
  return snapshot.options().Object("CFOptions", name, "prefix_extractor") !=
         kNoObject;
}

bool Family::is_as_expected() const {
  if (!expects_ours.has_value()) return true;
  if (!*expects_ours) return !policy.wanted();
  // The program that opened the database last had the one in the newest OPTIONS
  // file, or ours in place of it, or ours under the name of RocksDB's.
  if (policy.is_ours() || may_be_replaced()) return true;
  if (!logged_policy.empty()) return IsOurPolicy(logged_policy);
  const auto newest =
      std::max_element(tables.begin(), tables.end(),
                       [](const TableSummary& a, const TableSummary& b) {
                         return a.file.number < b.file.number;
                       });
  return policy.options.has_value() ||
         (newest != tables.end() && IsOurPolicy(newest->policy_name));
}

bool Family::is_replaced() const {
  return !policy.is_ours() && !policy.options.has_value() &&
         logged_policy == kPolicyName;
}

bool Family::may_be_replaced() const {
  return is_replaced() ||
         (policy.policy != nullptr && !policy.is_ours() &&
          !policy.options.has_value() && !snapshot.log.status.ok());
}

bool Family::has_default_options() const {
  return policy.is_ours() && policy.options.has_value() &&
         ChangedOptions(*policy.options).empty();
}

std::string Family::PolicyInFile(bool is_older) const {
  const std::filesystem::path file =
      is_older ? snapshot.older_options_file : snapshot.options_file;
  const OptionsFile& text =
      is_older ? snapshot.older_options : snapshot.options();
  // As in a file that is cut.
  if (!text.Get("CFOptions", name, "comparator").has_value()) {
    return file.filename().string() + " has no section for the column family";
  }
  return absl::StrCat(file.filename().string(), " has filter_policy=",
                      (is_older ? older_policy : policy).ShortText());
}

std::string Family::section() const {
  return absl::StrCat("[", kTableSection, " \"", name, "\"]");
}

std::string Family::Command(const char* command) const {
  const bool is_refilter = command == std::string("refilter");
  std::string text =
      absl::StrCat("oneline ", command, " ", ShellWord(snapshot.path));
  std::vector<std::string> paths = snapshot.other_directories;
  if (!paths.empty()) {
    if (is_refilter) paths.insert(paths.begin(), snapshot.path);
    absl::StrAppend(&text,
                    " --db_paths=", ShellWord(absl::StrJoin(paths, ",")));
  }
  if (!is_refilter) return text;
  if (snapshot.column_families.size() > 1) {
    absl::StrAppend(&text, " --column_family=", ShellWord(name));
  }
  return text + " --yes";
}

Finding Family::Note(const std::string& text) const {
  return Found(kNote, absl::StrCat("column family '", name, "': ", text));
}

Families FamiliesOf(const DatabaseSnapshot& snapshot) {
  Families families;
  for (const auto& family : snapshot.column_families) {
    const std::string& name = family.name;
    families.push_back(
        {family, snapshot,
         PolicyInOptions(snapshot.options().FilterPolicy(name)),
         PolicyInOptions(snapshot.older_options.FilterPolicy(name)),
         PolicyInLog(snapshot.log, name),
         ExpectedFor(name, snapshot.expectations)});
  }
  return families;
}

void TablesByLevel::Add(const TableSummary& table, double expected_bytes,
                        double most_expected_bytes) {
  if (levels.empty() || levels.back().level != table.file.level) {
    levels.emplace_back().level = table.file.level;
  }
  AffectedLevel& level = levels.back();
  ++level.tables;
  level.keys += table.keys;
  level.filter_bytes += table.filter_bytes;
  level.expected_bytes += expected_bytes;
  level.most_expected_bytes += most_expected_bytes;
}

std::string TablesByLevel::Count(const char* singular,
                                 const char* plural) const {
  uint64_t tables = 0;
  for (const AffectedLevel& level : levels) tables += level.tables;
  return absl::StrCat(WithCommas(tables), " of ", Tables(all), " ",
                      tables == 1 ? singular : plural);
}

}  // namespace oneline
