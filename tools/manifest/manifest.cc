#include "tools/manifest/manifest.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tools/manifest/log_records.h"

namespace oneline {

absl::Status Manifest::CheckGroup(const VersionEdit& edit) {
  const uint32_t expected = remaining_in_group_;
  remaining_in_group_ = edit.remaining_in_group.value_or(0);
  if (expected == 0 || (edit.remaining_in_group.has_value() &&
                        remaining_in_group_ == expected - 1)) {
    return absl::OkStatus();
  }
  return absl::DataLossError("an incomplete group of edits");
}

absl::Status Manifest::Apply(const VersionEdit& edit) {
  const absl::Status group = CheckGroup(edit);
  if (!group.ok()) return group;
  next_file_number_ =
      std::max(next_file_number_, edit.next_file_number.value_or(0));
  const uint32_t id = edit.column_family;
  if (edit.added_family.has_value() &&
      !families_.emplace(id, Family{*edit.added_family, {}}).second) {
    return absl::DataLossError(
        absl::StrCat("column family ", id, " is added twice"));
  }
  const auto family = families_.find(id);
  if (family == families_.end()) {
    return absl::DataLossError(
        absl::StrCat("column family ", id, " is not known"));
  }
  std::map<uint64_t, TableEntry>& tables = family->second.tables;
  for (const auto& [level, number] : edit.deleted) {
    const auto table = tables.find(number);
    if (table == tables.end() || table->second.level != level) {
      return absl::DataLossError(absl::StrCat("table ", number,
                                              " is deleted from level ", level,
                                              ", where it is not"));
    }
    tables.erase(table);
  }
  for (const TableEntry& table : edit.added) {
    if (!tables.emplace(table.number, table).second) {
      return absl::DataLossError(
          absl::StrCat("table ", table.number, " is added twice"));
    }
  }
  if (edit.drops_family) families_.erase(family);
  return absl::OkStatus();
}

absl::StatusOr<Manifest> Manifest::Parse(std::string_view file) {
  absl::StatusOr<std::vector<std::string>> records = ReadLogRecords(file);
  if (!records.ok()) return records.status();
  Manifest manifest;
  manifest.records_ = *std::move(records);
  manifest.families_[0].name = "default";
  for (const std::string& record : manifest.records_) {
    const absl::StatusOr<VersionEdit> edit = ParseVersionEdit(record);
    if (!edit.ok()) return edit.status();
    const absl::Status applied = manifest.Apply(*edit);
    if (!applied.ok()) return applied;
  }
  if (manifest.remaining_in_group_ != 0) {
    return absl::DataLossError("an incomplete group of edits at the end");
  }
  if (manifest.next_file_number_ == 0) {
    return absl::DataLossError("no number for the next file");
  }
  return manifest;
}

std::string Manifest::With(const std::vector<Replacement>& replacements,
                           uint64_t next_file_number) const {
  std::map<uint32_t, VersionEdit> edits;
  for (const Replacement& one : replacements) {
    VersionEdit& edit = edits[one.column_family];
    edit.column_family = one.column_family;
    edit.next_file_number = next_file_number;
    edit.deleted.emplace_back(one.table.level, one.old_number);
    edit.added.push_back(one.table);
  }
  std::string file;
  for (const std::string& record : records_) AppendLogRecord(record, &file);
  for (const auto& [family, edit] : edits) {
    AppendLogRecord(EncodeVersionEdit(edit), &file);
  }
  return file;
}

namespace {

bool IsSame(const TableEntry& a, const TableEntry& b) {
  return a.level == b.level && a.number == b.number && a.bytes == b.bytes &&
         a.smallest == b.smallest && a.largest == b.largest &&
         a.smallest_sequence == b.smallest_sequence &&
         a.largest_sequence == b.largest_sequence && a.fields == b.fields;
}

}  // namespace

bool IsReplaced(const Manifest& before,
                const std::vector<Replacement>& replacements,
                const Manifest& after) {
  std::map<uint32_t, Manifest::Family> expected = before.families();
  for (const Replacement& one : replacements) {
    const auto family = expected.find(one.column_family);
    if (family == expected.end() ||
        family->second.tables.erase(one.old_number) != 1 ||
        !family->second.tables.emplace(one.table.number, one.table).second) {
      return false;
    }
  }
  return std::equal(
      expected.begin(), expected.end(), after.families().begin(),
      after.families().end(), [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.name == b.second.name &&
               std::equal(a.second.tables.begin(), a.second.tables.end(),
                          b.second.tables.begin(), b.second.tables.end(),
                          [](const auto& x, const auto& y) {
                            return IsSame(x.second, y.second);
                          });
      });
}

}  // namespace oneline
