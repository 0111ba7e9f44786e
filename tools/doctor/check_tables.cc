// The checks of a column family's tables.

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/policy_request.h"
#include "tools/doctor/column_family_checker.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

std::string KindText(FoundKind kind) {
  return absl::StrCat(IsOurs(kind) ? "oneline's " : "", NameOf(kind));
}

std::string KindText(const TableSummary& table) {
  return table.kind == FoundKind::kForeign
             ? absl::StrCat("that of the policy '", table.policy_name,
                            "', which neither RocksDB nor this library can use")
             : KindText(table.kind);
}

}  // namespace

void ColumnFamilyChecker::CheckReadable() {
  TablesByLevel unreadable, refused;
  std::string first_unreadable, first_refused;
  for (const TableSummary& table : family_.tables) {
    if (table.status.ok() || absl::IsUnimplemented(table.status)) continue;
    const bool is_refused = absl::IsUnavailable(table.status);
    std::string& first = is_refused ? first_refused : first_unreadable;
    if (first.empty()) first = std::string(table.status.message());
    (is_refused ? refused : unreadable).Add(table);
  }
  Report("unreadable-table", unreadable,
         absl::StrCat(CountOf(unreadable, "can't be read", "can't be read"),
                      ", so lookups there fail. The first: ", first_unreadable,
                      "."),
         "Restore missing or damaged files from a backup. If the tables are in "
         "other directories, name these with --db_paths.");
  Report("not-examined", refused,
         absl::StrCat(CountOf(refused, "was", "were"),
                      " not examined, because the system did not let this "
                      "program read them. That is no damage. The first: ",
                      first_refused, "."),
         "Run this program again as a user who may read the files, and with "
         "enough descriptors and memory; fewer --jobs need less of both.");
}

void ColumnFamilyChecker::CheckDamage() {
  const TablesByLevel damaged = TablesWhere(
      [](const TableSummary& one) { return one.kind == FoundKind::kDamaged; });
  Report(
      "damaged-filter", damaged,
      absl::StrCat(
          CountOf(damaged, "has a damaged filter", "have damaged filters"),
          ". Lookups there fail, or are not filtered and read a data block "
          "each."),
      absl::StrCat("`oneline verify` says which filters are damaged, and how. ",
                   kRewrite),
      {snapshot_.Command("verify"), RefilterCommand()});
}

void ColumnFamilyChecker::CheckExpectedFilters(
    FilterExpectations* expectations) {
  TablesByLevel missing, ignored, other_kind, other_size;
  std::set<std::string> ignored_kinds, other_kinds, wanted_kinds;
  const int last_level =
      family_.tables.empty()
          ? 0
          : LastLevel(snapshot_.database.db_options, family_.options,
                      family_.tables.back().file.level);
  for (const TableSummary& table : family_.tables) {
    if (!table.status.ok() || table.kind == FoundKind::kDamaged) continue;
    if (IsReplaced() && IsOurs(table.kind)) continue;
    const uint64_t keys = table.keys_to_filter();
    const int level = std::max(table.file.level, 0);
    switch (expectations->Judge(table, table.file.level, last_level)) {
      case Verdict::kAsExpected:
        break;
      case Verdict::kMissing:
        missing.Add(table);
        break;
      case Verdict::kUnwanted:
        other_size.Add(table);
        break;
      case Verdict::kOtherKind:
        if (IsIgnored(table)) {
          ignored_kinds.insert(KindText(table));
          ignored.Add(table);
          break;
        }
        other_kinds.insert(KindText(table));
        wanted_kinds.insert(KindText(expectations->At(level, keys).kind));
        other_kind.Add(table);
        break;
      case Verdict::kOtherSize:
        other_size.Add(table, expectations->At(level, keys));
        break;
    }
  }
  const std::string asked =
      absl::StrCat("(filter_policy=", configured_.ShortText(), "): ");
  Report("no-filter", missing,
         absl::StrCat(CountOf(missing),
                      " no filter, although the options ask for one ", asked,
                      "every lookup there reads a data block.",
                      configured_.is_ours()
                          ? " Such tables come from programs without this "
                            "library, or from before the policy was set."
                          : ""));
  ReportIgnored(ignored, ignored_kinds);
  // Tables that do not fit to the defaults may be those that are right.
  const char* const hint =
      HasDefaultOptions() ? " All options of the policy have their defaults: "
                            "if you had set others, they are lost, and should "
                            "be set again before the tables are rewritten."
                          : "";
  Report(
      "other-kind", other_kind,
      absl::StrCat(CountOf(other_kind),
                   " a filter of another kind than the options ask for ", asked,
                   absl::StrJoin(other_kinds, ", "), " instead of ",
                   absl::StrJoin(wanted_kinds, ", "),
                   ". Lookups use them, at other false-positive rates.", hint));
  Report(
      "other-bits", other_size,
      absl::StrCat(CountOf(other_size),
                   " other bits per key than the options ask for ", asked,
                   "lookups use these filters, at another false-positive rate.",
                   hint));
}

// Whether the program that last opened the database had our filters in place of
// RocksDB's, which the options name. What the variable said is not known,
// unless this program has it, too; then the tables are judged by it.
bool ColumnFamilyChecker::IsReplaced() const {
  return !configured_.is_ours() && !configured_.options.has_value() &&
         PolicyInLog() == kPolicyName;
}

bool ColumnFamilyChecker::IsIgnored(const TableSummary& table) const {
  return table.kind == FoundKind::kForeign ||
         (IsOurs(table.kind) && !configured_.options.has_value());
}

void ColumnFamilyChecker::NoteReplacedFilters() {
  const TablesByLevel ours =
      TablesWhere([](const TableSummary& one) { return IsOurs(one.kind); });
  if (!IsReplaced() || ours.tables() == 0) return;
  Note(absl::StrCat(
      CountOf(ours), " oneline's filters, although ", options_name_,
      " has filter_policy=", configured_.text,
      ". By its LOG the program that last opened the database has them in "
      "place of RocksDB's (",
      kReplaceBuiltin,
      "). That is sound: its lookups use both. A program without that variable "
      "or without this library reads these tables unfiltered, and its "
      "compactions write RocksDB's filters again."));
}

// As the options ask, and yet worth knowing. A table that bits_by_level gave
// more than what the options ask for has enough as long as it has that.
void ColumnFamilyChecker::NoteLimitedFilters(FilterExpectations* expectations) {
  if (!configured_.options.has_value() ||
      !configured_.options->max_filter_bytes.has_value() ||
      family_.table_options()->partition_filters) {
    return;
  }
  const uint64_t most = *configured_.options->max_filter_bytes;
  TablesByLevel limited;
  double fewest = std::numeric_limits<double>::infinity(), worst_rate = 0;
  for (const TableSummary& table : family_.tables) {
    const auto keys = static_cast<double>(table.filter_keys);
    if (!table.status.ok() || keys == 0 ||
        table.asked_bits_per_key * keys / 8 <= static_cast<double>(most) ||
        table.filter_bytes > most) {
      continue;
    }
    const double bits = 8 * static_cast<double>(table.filter_bytes) / keys;
    const ExpectedFilter expected =
        expectations->At(std::max(table.file.level, 0), table.filter_keys);
    if (bits >= expected.asked_bits_per_key) continue;
    limited.Add(table);
    fewest = std::min(fewest, bits);
    worst_rate = std::max(worst_rate, table.fp_rate);
  }
  if (limited.tables() == 0) return;
  Note(absl::StrCat(
      CountOf(limited),
      " fewer bits per key than the options ask for, because of "
      "max_filter_bytes=",
      most,
      absl::StrFormat(": down to %.2f, so that %.3g %% of absent keys pass. ",
                      fewest, 100 * worst_rate),
      "With partition_filters all keys would have their bits."));
}

// No command is printed: it would write the filters of the options, where those
// of the tables may be the ones that are wanted.
void ColumnFamilyChecker::ReportIgnored(const TablesByLevel& tables,
                                        const std::set<std::string>& kinds) {
  std::string what = absl::StrCat(
      CountOf(tables),
      " a filter that the policy of the options (filter_policy=",
      configured_.ShortText(), ") can't read: ", absl::StrJoin(kinds, ", "),
      ". Lookups there are correct, but not filtered.");
  if (!configured_.is_ours()) {
    absl::StrAppend(&what, " (If your programs run with ", kReplaceBuiltin,
                    ": by the LOG the last one did not. If there is no LOG, "
                    "run this program with the variable as well.)");
  }
  Report("ignored-filter", tables, what,
         absl::StrCat(
             "If you want these filters, for example right after `oneline "
             "refilter --filter_policy=...`, open the database with their "
             "policy, such as filter_policy=oneline:10 under ",
             TableSection(),
             ": lookups use them at once. If you want those of the options: ",
             kRewrite));
}

}  // namespace oneline
