// What can be wrong with the options of a column family.

#include <rocksdb/table.h>

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/doctor/doctor_family.h"
#include "tools/text/number_text.h"

namespace oneline {

void FamilyDoctor::LookAtOtherFormat() {
  if (PolicyIn(patient_.options) == "nullptr") return;
  const rocksdb::TableFactory* const factory =
      family_.options.table_factory.get();
  Add("other-table-format",
      absl::StrCat("A filter policy is set (filter_policy=", configured_.text,
                   "), but table_factory",
                   factory == nullptr ? " is one that is not known here"
                                      : absl::StrCat("=", factory->Name()),
                   ": only block-based tables have filters."),
      "Set table_factory=BlockBasedTable in the options, or no policy.");
}

// A policy that nobody knows, or that is set wrongly.
void FamilyDoctor::LookAtPolicy() {
  if (configured_.problem.ok()) return;
  const std::string line = absl::StrCat("filter_policy=", configured_.text);
  if (absl::IsNotFound(configured_.problem)) {
    Add("unknown-policy",
        absl::StrCat(OptionsName(), " says ", line, ": ",
                     configured_.problem.message(),
                     ". RocksDB loads such a file without a word and then "
                     "writes tables without filters."),
        absl::StrCat("Run every program that writes the database with the "
                     "library that has the policy, or write another one "
                     "under ",
                     Section(), ", as filter_policy=oneline:10"));
  } else {
    Add("wrong-options",
        absl::StrCat(OptionsName(), " says ", line, ": ",
                     configured_.problem.message(), "."),
        absl::StrCat("Correct the line under ", Section(),
                     "; as it is the database can't be opened with it."));
  }
}

// No filters are wanted. Is that meant?
void FamilyDoctor::LookAtPolicyGone() {
  Levels unused, without;
  for (const TableSummary& table : family_.tables) {
    if (!table.status.ok()) continue;
    (table.filter_bytes > 0 ? unused : without).Add(table);
  }
  const std::string before = patient_.older_options.has_value()
                                 ? PolicyIn(*patient_.older_options)
                                 : "nullptr";
  if (unused.tables() == 0 && before == "nullptr") return;
  std::string what = absl::StrCat(OptionsName(), " has no filter policy");
  if (before != "nullptr") {
    absl::StrAppend(
        &what, "; ",
        std::filesystem::path(patient_.older_options_file).filename().string(),
        " before it said filter_policy=", before);
  }
  absl::StrAppend(&what, ". ", Tables(without.tables()),
                  without.tables() == 1 ? " has" : " have", " no filter, ",
                  WithCommas(unused.tables()),
                  unused.tables() == 1 ? " has one" : " have one each",
                  " that nobody asks. That is what a program leaves behind "
                  "that opened the database without its options or without "
                  "the library of its policy.");
  Add("policy-gone", what,
      absl::StrCat("If filters are wanted, open the database with a policy "
                   "again, under ",
                   Section(), ": filter_policy=",
                   before == "nullptr" ? "oneline:10" : before,
                   " and let `oneline doctor` look again for tables without "
                   "filters. If none are wanted, this finding passes as "
                   "tables and OPTIONS files are replaced."))
      .levels = unused.list();
}

// Whether nothing is put into filters at all.
bool FamilyDoctor::LookAtKeys() {
  const std::string extractor =
      patient_.options.Get("CFOptions", family_.name, "prefix_extractor")
          .value_or("nullptr");
  if (family_.table_options()->whole_key_filtering || extractor != "nullptr") {
    return false;
  }
  Add("nothing-to-filter",
      "whole_key_filtering=false and prefix_extractor=nullptr: neither keys "
      "nor prefixes are put into filters, which are of no use to any lookup.",
      absl::StrCat("Under ", Section(),
                   " set whole_key_filtering=true, or name a "
                   "prefix_extractor under [CFOptions \"",
                   family_.name, "\"]."));
  return true;
}

void FamilyDoctor::LookAtPinning() {
  using rocksdb::PinningTier;
  const rocksdb::BlockBasedTableOptions& table = *family_.table_options();
  const PinningTier tier = table.metadata_cache_options.top_level_index_pinning;
  const bool pinned = tier == PinningTier::kFallback
                          ? table.pin_top_level_index_and_filter
                          : tier != PinningTier::kNone;
  if (!table.partition_filters || !table.cache_index_and_filter_blocks ||
      pinned) {
    return;
  }
  Add("not-pinned",
      "Filters have partitions, and the index of these is not pinned in the "
      "block cache: a lookup may have to read it before the partition, and "
      "that before the block.",
      absl::StrCat("Under ", Section(),
                   " set pin_top_level_index_and_filter=true."));
}

}  // namespace oneline
