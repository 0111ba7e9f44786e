#include "tools/doctor/column_family_checker.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "tools/text/shell_words.h"

namespace oneline {

void TablesByLevel::Add(const TableSummary& table,
                        const ExpectedFilter& expected) {
  AffectedLevel& level = levels_[table.file.level];
  level.level = table.file.level;
  ++level.tables;
  level.keys += table.keys;
  level.filter_bytes += table.filter_bytes;
  level.expected_bytes += expected.bytes;
  level.most_expected_bytes += expected.most_bytes;
  ++tables_;
}

std::vector<AffectedLevel> TablesByLevel::list() const {
  std::vector<AffectedLevel> all;
  for (const auto& [number, level] : levels_) all.push_back(level);
  return all;
}

ColumnFamilyChecker::ColumnFamilyChecker(const DatabaseSnapshot& snapshot,
                                         const ColumnFamilySummary& family,
                                         Diagnosis* diagnosis)
    : snapshot_(snapshot),
      family_(family),
      configured_(PolicyInOptions(PolicyIn(snapshot.options))),
      diagnosis_(diagnosis) {}

void ColumnFamilyChecker::Run() {
  CheckReadable();
  if (family_.table_options() == nullptr) {
    CheckTableFormat();
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
    FilterExpectations expectations(configured_.policy, family_.name,
                                    family_.options, *family_.table_options());
    CheckExpectedFilters(&expectations);
    NoteLimitedFilters(&expectations);
    NoteReplacedFilters();
  }
  CheckPinning();
}

Finding& ColumnFamilyChecker::Add(const std::string& kind,
                                  const std::string& what,
                                  const std::string& remedy) {
  diagnosis_->findings.push_back({kind, family_.name, what, remedy, {}, {}});
  return diagnosis_->findings.back();
}

std::string ColumnFamilyChecker::PolicyIn(const OptionsFile& options) const {
  const std::string text = options.FilterPolicy(family_.name);
  return text.empty() ? "nullptr" : text;
}

std::string ColumnFamilyChecker::OptionsName() const {
  return std::filesystem::path(snapshot_.database.options_file)
      .filename()
      .string();
}

std::string ColumnFamilyChecker::OlderOptionsName() const {
  return std::filesystem::path(snapshot_.older_options_file)
      .filename()
      .string();
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
      " --yes");
}

}  // namespace oneline
