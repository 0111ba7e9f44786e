#include "tools/doctor/doctor_family.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "tools/text/shell_words.h"

namespace oneline {

void Levels::Add(const TableSummary& table, double expected_bytes) {
  LevelTables& level = levels_[table.file.level];
  level.level = table.file.level;
  ++level.tables;
  level.keys += table.keys;
  level.filter_bytes += table.filter_bytes;
  level.expected_bytes += expected_bytes;
  ++tables_;
}

std::vector<LevelTables> Levels::list() const {
  std::vector<LevelTables> all;
  for (const auto& [number, level] : levels_) all.push_back(level);
  return all;
}

FamilyDoctor::FamilyDoctor(const Patient& patient,
                           const ColumnFamilySummary& family,
                           Diagnosis* diagnosis)
    : patient_(patient),
      family_(family),
      configured_(PolicyInOptions(PolicyIn(patient.options))),
      diagnosis_(diagnosis) {}

void FamilyDoctor::Look() {
  LookAtUnreadableTables();
  if (family_.table_options() == nullptr) {
    LookAtOtherFormat();
    return;
  }
  LookAtPolicy();
  if (!configured_.wanted()) {
    LookAtPolicyGone();
    return;
  }
  if (LookAtKeys()) return;
  LookAtDamagedFilters();
  if (configured_.policy != nullptr) LookAtTables();
  LookAtPinning();
}

Finding& FamilyDoctor::Add(const std::string& kind, const std::string& what,
                           const std::string& remedy) {
  diagnosis_->findings.push_back({kind, family_.name, what, remedy, {}, {}});
  return diagnosis_->findings.back();
}

std::string FamilyDoctor::PolicyIn(const OptionsFile& options) const {
  const std::string text =
      options.Get(kTableSection, family_.name, "filter_policy")
          .value_or("nullptr");
  return text.empty() ? "nullptr" : text;
}

std::string FamilyDoctor::OptionsName() const {
  return std::filesystem::path(patient_.database.options_file)
      .filename()
      .string();
}

std::string FamilyDoctor::Section() const {
  return absl::StrCat("[", kTableSection, " \"", family_.name, "\"]");
}

std::string FamilyDoctor::RewriteCommand() const {
  return absl::StrCat(configured_.is_ours()
                          ? "LD_PRELOAD=$ONELINE/bazel-bin/liboneline.so "
                          : "",
                      "ldb --db=", ShellWord(patient_.database.path),
                      " --column_family=", ShellWord(family_.name),
                      " --try_load_options compact");
}

}  // namespace oneline
