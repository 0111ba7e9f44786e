// The checks of a column family's options.

#include <rocksdb/table.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/options/filter_options_text.h"
#include "tools/doctor/column_family_checker.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

constexpr char kSetOptionsForm[] =
    "db->SetOptions(cf, {{\"table_factory.filter_policy.<option>\", "
    "\"<value>\"}}).";

}  // namespace

// Called if the tables are not block-based: then a policy has no effect.
void ColumnFamilyChecker::CheckTableFormat() {
  if (PolicyIn(snapshot_.options) == "nullptr") return;
  const rocksdb::TableFactory* const factory =
      family_.options.table_factory.get();
  Add("other-table-format",
      absl::StrCat(
          "A filter policy is set (filter_policy=", configured_.text, "), but ",
          factory == nullptr ? "table_factory is not known to this program"
                             : absl::StrCat("table_factory=", factory->Name()),
          ". Only block-based tables have filters; lookups in others are not "
          "filtered."),
      "Set table_factory=BlockBasedTable in the options, or remove the filter "
      "policy.");
}

void ColumnFamilyChecker::CheckPolicyIsValid() {
  if (configured_.problem.ok()) return;
  const std::string what =
      absl::StrCat(options_name_, " says filter_policy=", configured_.text,
                   ": ", configured_.problem.message(), ". ");
  if (absl::IsNotFound(configured_.problem)) {
    Add("unknown-policy",
        absl::StrCat(
            what,
            "RocksDB loads such a file without an error and writes tables "
            "without filters, so every lookup in them reads a data block."),
        absl::StrCat(
            "Run every program that writes the database with the library that "
            "has the policy, or set another policy under ",
            TableSection(), ", for example filter_policy=oneline:10"));
  } else {
    Add("wrong-options",
        absl::StrCat(what, "The database can't be opened with this policy."),
        absl::StrCat("Correct the line under ", TableSection(), "."));
  }
}

// Reports a policy that is not as --expect says. The program that opened the
// database last had the one in the newest OPTIONS file, or ours in place of it.
bool ColumnFamilyChecker::FindUnexpectedPolicy() {
  const ExpectedPolicy expected = snapshot_.expectations.For(family_.name);
  const bool is_ours = configured_.is_ours() ||
                       (PolicyInLog().empty() ? configured_.options.has_value()
                                              : PolicyInLog() == kPolicyName);
  if (expected == ExpectedPolicy::kUnknown ||
      (expected == ExpectedPolicy::kOneline && is_ours) ||
      (expected == ExpectedPolicy::kNone && !configured_.wanted())) {
    return false;
  }
  std::string what = absl::StrCat(
      options_name_, " has filter_policy=", configured_.ShortText(),
      ", but --expect is ");
  if (expected == ExpectedPolicy::kNone) {
    Add("not-as-expected", absl::StrCat(what, "none."),
        "Open the database without a filter policy, or change --expect.");
    return true;
  }
  const TablesByLevel without =
      TablesWhere([](const TableSummary& one) { return !IsOurs(one.kind); });
  Add("not-as-expected",
      absl::StrCat(
          what,
          "oneline. The program that opened the database last writes tables "
          "without oneline's filters, and its lookups do not use them. ",
          CountOf(without, "has none.", "have none.")),
      "Open the database with the policy: start the program with its options, "
      "such as filter_policy=oneline:10, and with this library. Then run "
      "`oneline doctor` again, to find the tables that still have no filter.")
      .levels = without.list();
  return true;
}

// Called if no filters are wanted: finds signs that they once were, in tables,
// in the older OPTIONS file, or in old LOGs.
void ColumnFamilyChecker::CheckPolicyIsNotGone() {
  const TablesByLevel unused =
      TablesWhere([](const TableSummary& one) { return one.filter_bytes > 0; });
  const TablesByLevel without = TablesWhere(
      [](const TableSummary& one) { return one.filter_bytes == 0; });
  const std::string older = snapshot_.older_options.has_value()
                                ? PolicyIn(*snapshot_.older_options)
                                : "nullptr";
  const auto logged = snapshot_.policies_in_old_logs.find(family_.name);
  const bool is_logged = logged != snapshot_.policies_in_old_logs.end();
  if (snapshot_.expectations.For(family_.name) == ExpectedPolicy::kNone ||
      (unused.tables() == 0 && older == "nullptr" && !is_logged)) {
    return;
  }
  std::string what = absl::StrCat(options_name_, " has no filter policy");
  if (older != "nullptr") {
    absl::StrAppend(&what, "; the older ", older_options_name_,
                    " has filter_policy=", older);
  } else if (is_logged) {
    absl::StrAppend(&what, "; the last that a program had is ", logged->second);
  }
  absl::StrAppend(
      &what, ". Lookups are not filtered: ", Tables(without.tables()),
      without.tables() == 1 ? " has" : " have", " no filter, ",
      WithCommas(unused.tables()),
      unused.tables() == 1 ? " has one" : " have one each",
      " that no lookup uses. A program that opens the database without its "
      "options, or without the library of its policy, leaves it like this, and "
      "so does SetOptions with a new table_factory.");
  Add("policy-gone", what,
      absl::StrCat(
          "If you want filters, open the database with filter_policy=",
          older == "nullptr" ? "oneline:10" : older, " under ", TableSection(),
          ", then run `oneline doctor` again to find the tables without "
          "filters. If you do not, say so with --expect=none, or --expect=",
          family_.name, ":none."))
      .levels = unused.list();
}

// RocksDB from 9.8 on returns OK for a mistake in SetOptions. Found only while
// the options are still those of that time.
void ColumnFamilyChecker::CheckNothingWasRefused() {
  const auto refused = snapshot_.log.refused.find(family_.name);
  if (refused == snapshot_.log.refused.end() ||
      PolicyInOptions(refused->second.policy).ShortText() !=
          configured_.ShortText()) {
    return;
  }
  Add("refused-options",
      absl::StrCat(
          "The LOG says that an option was refused: ", refused->second.mistake,
          ". Filters are written with filter_policy=", configured_.ShortText(),
          ". SetOptions and CreateColumnFamily may have returned OK."),
      absl::StrCat(
          "Set the option again, with a right value: ", kSetOptionsForm,
          " If the policy is right as it is, there is nothing to do: the "
          "finding goes away with the LOG of this run."));
}

// The trace of a policy that was set without its options.
void ColumnFamilyChecker::CheckOptionsAreNotLost() {
  if (!HasDefaultOptions() || !snapshot_.older_options.has_value()) return;
  const ConfiguredPolicy older =
      PolicyInOptions(PolicyIn(*snapshot_.older_options));
  if (!older.is_ours() || !older.options.has_value() ||
      older.ShortText() == configured_.ShortText()) {
    return;
  }
  Add("options-lost",
      absl::StrCat(options_name_, " has filter_policy=", kPolicyName,
                   " with all options at their defaults; the older ",
                   older_options_name_,
                   " has filter_policy=", older.ShortText(),
                   ". A policy that is set by its name alone leaves it like "
                   "this, for example by SetOptions with a new table_factory."),
      absl::StrCat(
          "If you want the older options, set them again: ", kSetOptionsForm,
          " If you want the defaults, there is nothing to do: the finding goes "
          "away as OPTIONS files are replaced."));
}

bool ColumnFamilyChecker::HasDefaultOptions() const {
  return configured_.is_ours() && configured_.options.has_value() &&
         configured_.ShortText() == PolicyText(FilterOptions());
}

bool ColumnFamilyChecker::FindNothingToFilter() {
  const std::string extractor =
      snapshot_.options.Get("CFOptions", family_.name, "prefix_extractor")
          .value_or("nullptr");
  if (family_.table_options()->whole_key_filtering || extractor != "nullptr") {
    return false;
  }
  Add("nothing-to-filter",
      "whole_key_filtering=false and prefix_extractor=nullptr: filters get "
      "neither keys nor prefixes, so no lookup can use them.",
      absl::StrCat("Set whole_key_filtering=true under ", TableSection(),
                   ", or a prefix_extractor under [CFOptions \"", family_.name,
                   "\"]."));
  return true;
}

void ColumnFamilyChecker::CheckPinning() {
  using rocksdb::PinningTier;
  const rocksdb::BlockBasedTableOptions& table = *family_.table_options();
  const PinningTier tier = table.metadata_cache_options.top_level_index_pinning;
  const bool by_flag = tier == PinningTier::kFallback;
  // kFlushedAndSimilar leaves out all but level 0.
  const bool pinned = by_flag ? table.pin_top_level_index_and_filter
                              : tier == PinningTier::kAll;
  if (!table.partition_filters || !table.cache_index_and_filter_blocks ||
      pinned) {
    return;
  }
  Add("not-pinned",
      "Filters are partitioned, and not every table's index of the partitions "
      "is pinned in the block cache: a lookup may have to read this index, "
      "then the partition, and only then the data block.",
      absl::StrCat(
          "Set ",
          by_flag ? "pin_top_level_index_and_filter=true"
                  : "top_level_index_pinning=kAll of metadata_cache_options",
          " under ", TableSection(), "."));
}

}  // namespace oneline
