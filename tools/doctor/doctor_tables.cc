// What can be wrong with the tables of a column family.

#include <algorithm>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/database/expected_filter.h"
#include "tools/doctor/doctor_family.h"
#include "tools/text/number_text.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

std::string Named(const std::string& kind) {
  return kind == "ribbon" || kind == "bloom" ? absl::StrCat("oneline's ", kind)
                                             : kind;
}

std::string Described(const TableSummary& table) {
  return table.kind == kForeignFilter
             ? absl::StrCat("that of the policy '", table.policy_name,
                            "', which can't be read here")
             : Named(table.kind);
}

}  // namespace

std::string FamilyDoctor::TablesOf(const Levels& levels, const char* has,
                                   const char* have) const {
  return absl::StrCat(WithCommas(levels.tables()), " of ",
                      Tables(family_.tables.size()), " ",
                      levels.tables() == 1 ? has : have);
}

void FamilyDoctor::LookAtUnreadableTables() {
  Levels levels;
  std::string first;
  for (const TableSummary& table : family_.tables) {
    if (table.status.ok() || absl::IsUnimplemented(table.status)) continue;
    if (first.empty()) first = std::string(table.status.message());
    levels.Add(table);
  }
  if (levels.tables() == 0) return;
  Add("unreadable-table",
      absl::StrCat(TablesOf(levels, "can't be read", "can't be read"),
                   ", the first: ", first, "."),
      "Restore what is missing or damaged from a backup; if tables are in "
      "directories of their own, say so with --db_paths.")
      .levels = levels.list();
}

void FamilyDoctor::LookAtDamagedFilters() {
  Levels damaged;
  for (const TableSummary& table : family_.tables) {
    if (table.status.ok() && table.kind == kDamagedFilter) damaged.Add(table);
  }
  if (damaged.tables() == 0) return;
  Finding& finding =
      Add("damaged-filter",
          absl::StrCat(
              TablesOf(damaged, "has a damaged filter", "have damaged filters"),
              ": lookups either fail or read every block."),
          absl::StrCat("See which and how. ", kRewrite));
  finding.commands = {
      absl::StrCat("oneline verify ", ShellWord(patient_.database.path)),
      RewriteCommand()};
  finding.levels = damaged.list();
}

// Whether a table may do without a filter although the policy would write
// one: on the last level, or because nothing in it is to be filtered.
bool FamilyDoctor::MayLackFilter(const TableSummary& table) const {
  if (!family_.table_options()->whole_key_filtering &&
      !table.policy_name.empty()) {
    return true;
  }
  // RocksDB tells a table's policy also where it skips the filter.
  const int last = family_.tables.back().file.level;
  return family_.options.optimize_filters_for_hits &&
         (!table.policy_name.empty() || table.file.level == last);
}

void FamilyDoctor::LookAtTables() {
  FilterExpectations expectations(configured_, family_.name, family_.options,
                                  *family_.table_options());
  Levels missing, other_kind, other_size;
  std::set<std::string> other_kinds, wanted_kinds;
  for (const TableSummary& table : family_.tables) {
    if (!table.status.ok() || table.kind == kDamagedFilter) continue;
    const uint64_t keys =
        table.filter_keys > 0 ? table.filter_keys : table.keys;
    const int level = std::max(table.file.level, 0);
    switch (expectations.Judge(table)) {
      case Verdict::kAsExpected:
        break;
      case Verdict::kMissing:
        if (!MayLackFilter(table)) missing.Add(table);
        break;
      case Verdict::kUnwanted:
        other_size.Add(table);
        break;
      case Verdict::kOtherKind:
        other_kinds.insert(Described(table));
        wanted_kinds.insert(Named(expectations.At(level, keys).kind));
        other_kind.Add(table);
        break;
      case Verdict::kOtherSize:
        other_size.Add(table, expectations.At(level, keys).bytes);
        break;
    }
  }
  ReportMissing(missing);
  ReportOtherKind(other_kind, other_kinds, wanted_kinds);
  ReportOtherSize(other_size);
}

void FamilyDoctor::Report(const std::string& kind, const Levels& levels,
                          const std::string& what) {
  Finding& finding = Add(kind, what, kRewrite);
  finding.commands = {RewriteCommand()};
  finding.levels = levels.list();
}

void FamilyDoctor::ReportMissing(const Levels& missing) {
  if (missing.tables() == 0) return;
  std::string what =
      absl::StrCat(TablesOf(missing, "has", "have"),
                   " no filter, although the options want one (filter_policy=",
                   configured_.ShortText(),
                   "): every lookup that comes there reads a block.");
  if (configured_.is_ours()) {
    absl::StrAppend(&what,
                    " A program without this library wrote them, or one "
                    "from before the policy was set.");
  }
  Report("no-filter", missing, what);
}

void FamilyDoctor::ReportOtherKind(const Levels& levels,
                                   const std::set<std::string>& kinds,
                                   const std::set<std::string>& wanted) {
  if (levels.tables() == 0) return;
  std::string what = absl::StrCat(
      TablesOf(levels, "has", "have"),
      " a filter of another kind than is written now (filter_policy=",
      configured_.ShortText(), "): ", absl::StrJoin(kinds, ", "), ", now ",
      absl::StrJoin(wanted, ", "), ".");
  const bool ours = kinds.count("oneline's ribbon") != 0 ||
                    kinds.count("oneline's bloom") != 0;
  if (ours && !configured_.is_ours()) {
    absl::StrAppend(&what,
                    " Programs without this library read every key of those "
                    "unfiltered. (If yours run with ONELINE_REPLACE_BUILTIN, "
                    "run this one with it, too.)");
  }
  Report("other-kind", levels, what);
}

void FamilyDoctor::ReportOtherSize(const Levels& levels) {
  if (levels.tables() == 0) return;
  Report(
      "other-bits", levels,
      absl::StrCat(TablesOf(levels, "has", "have"),
                   " other bits per key than are written now (filter_policy=",
                   configured_.ShortText(), ")."));
}

}  // namespace oneline
