#include "tools/doctor/column_family_checker.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/text/number_text.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void TablesByLevel::Add(const TableSummary& table,
                        const ExpectedFilter& expected) {
  if (levels_.empty() || levels_.back().level != table.file.level) {
    levels_.emplace_back().level = table.file.level;
  }
  AffectedLevel& level = levels_.back();
  ++level.tables;
  level.keys += table.keys;
  level.filter_bytes += table.filter_bytes;
  level.expected_bytes += expected.bytes;
  level.most_expected_bytes += expected.most_bytes;
  ++tables_;
}

ColumnFamilyChecker::ColumnFamilyChecker(const DatabaseSnapshot& snapshot,
                                         const ColumnFamilySummary& family,
                                         Diagnosis* diagnosis)
    : snapshot_(snapshot),
      family_(family),
      configured_(PolicyInOptions(PolicyIn(snapshot.options))),
      options_name_(FileName(snapshot.database.options_file)),
      older_options_name_(FileName(snapshot.older_options_file)),
      diagnosis_(diagnosis) {}

void ColumnFamilyChecker::Run() {
  CheckReadable();
  if (family_.table_options() == nullptr) {
    if (!FindUnexpectedPolicy()) CheckTableFormat();
    return;
  }
  CheckPolicyIsValid();
  const bool is_unexpected = FindUnexpectedPolicy();
  if (!configured_.wanted()) {
    if (!is_unexpected) CheckPolicyIsNotGone();
    return;
  }
  if (FindNothingToFilter()) return;
  CheckNothingWasRefused();
  CheckOptionsAreNotLost();
  CheckDamage();
  if (configured_.policy != nullptr) {
    // Bits by level go by the sizes of levels, and of all column families that
    // share a policy, as those with one text may.
    for (const ColumnFamilySummary& one : snapshot_.database.column_families) {
      if (snapshot_.options.FilterPolicy(one.name) !=
          snapshot_.options.FilterPolicy(family_.name)) {
        continue;
      }
      configured_.policy
          ->ValidateOptions(snapshot_.database.db_options, one.options)
          .PermitUncheckedError();
    }
    FilterExpectations expectations(configured_.policy, family_.options,
                                    *family_.table_options());
    CheckExpectedFilters(&expectations);
    NoteLimitedFilters(&expectations);
    NoteReplacedFilters();
  }
  CheckPinning();
}

std::string ColumnFamilyChecker::CountOf(const TablesByLevel& tables,
                                         const char* singular,
                                         const char* plural) const {
  return absl::StrCat(WithCommas(tables.tables()), " of ",
                      Tables(family_.tables.size()), " ",
                      tables.tables() == 1 ? singular : plural);
}

void ColumnFamilyChecker::Report(const std::string& kind,
                                 const TablesByLevel& tables,
                                 const std::string& what,
                                 const std::string& remedy,
                                 const std::vector<std::string>& commands) {
  if (tables.tables() == 0) return;
  Finding& finding = Add(kind, what, remedy.empty() ? kRewrite : remedy);
  finding.commands =
      remedy.empty() ? std::vector<std::string>{RefilterCommand()} : commands;
  finding.levels = tables.list();
}

void ColumnFamilyChecker::Note(const std::string& text) {
  diagnosis_->notes.push_back(
      absl::StrCat("column family '", family_.name, "': ", text));
}

std::string ColumnFamilyChecker::PolicyIn(const OptionsFile& options) const {
  const std::string text = options.FilterPolicy(family_.name);
  return text.empty() ? "nullptr" : text;
}

std::string ColumnFamilyChecker::PolicyInLog() const {
  const std::map<std::string, std::string>& policies =
      snapshot_.log.filter_policies;
  const auto found = policies.find(family_.name);
  if (found != policies.end()) return found->second;
  // RocksDB prints the options of ten column families at most: those of the
  // others are as in these, if they all agree.
  const bool all_agree =
      std::all_of(policies.begin(), policies.end(), [&](const auto& policy) {
        return policy.second == policies.begin()->second;
      });
  return policies.empty() || !all_agree ? "" : policies.begin()->second;
}

std::string ColumnFamilyChecker::TableSection() const {
  return absl::StrCat("[", kTableSection, " \"", family_.name, "\"]");
}

std::string ColumnFamilyChecker::RefilterCommand() const {
  return absl::StrCat(
      "oneline refilter ", ShellWord(snapshot_.database.path),
      snapshot_.database.column_families.size() == 1
          ? ""
          : absl::StrCat(" --column_family=", ShellWord(family_.name)),
      snapshot_.other_directories.empty()
          ? ""
          : absl::StrCat(" --db_paths=",
                         ShellWord(absl::StrCat(
                             snapshot_.database.path, ",",
                             absl::StrJoin(snapshot_.other_directories, ",")))),
      " --yes");
}

}  // namespace oneline
