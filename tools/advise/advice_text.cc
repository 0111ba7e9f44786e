// Prints advice as text for people.

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "filter_policy/options/filter_options_text.h"
#include "tools/advise/advice_report.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"
#include "tools/text/paragraph.h"
#include "tools/text/printable.h"

namespace oneline {
namespace {

std::string ReadsText(double reads) { return absl::StrFormat("%.3g", reads); }

void PrintRow(const std::string& name, uint64_t tables, uint64_t keys,
              const FilterCost& current, const FilterCost& proposed) {
  absl::PrintF("  %-3s %6s %12s", name, WithCommas(tables), WithCommas(keys));
  for (const FilterCost* cost : {&current, &proposed}) {
    absl::PrintF(" %8.2f %9s %8s", BitsPerKey(cost->bytes, keys),
                 BytesText(cost->bytes), ReadsText(cost->false_positives));
  }
  absl::PrintF("\n");
}

void PrintFamily(const ColumnFamilyAdvice& family) {
  uint64_t tables = 0;
  for (const LevelAdvice& level : family.levels) tables += level.tables;
  absl::PrintF("\nColumn family \"%s\"\n", Printable(family.name));
  PrintParagraph(absl::StrCat(
      "now: ",
      family.policy.text.empty()
          ? "not known, as there is no OPTIONS file; the filters of the "
            "tables are taken to be in use"
          : absl::StrCat("filter_policy=", family.policy.ShortText())));
  PrintParagraph(
      absl::StrCat("proposed: filter_policy=", PolicyText(family.proposal)));
  absl::PrintF("\n%26s%-28s%s\n", "", "now", "proposed");
  absl::PrintF("  %-3s %6s %12s", "", "tables", "keys");
  for (int i = 0; i < 2; ++i) {
    absl::PrintF(" %8s %9s %8s", "bits/key", "memory", "wasted");
  }
  absl::PrintF("\n");
  for (const LevelAdvice& level : family.levels) {
    PrintRow(absl::StrCat("L", level.level), level.tables, level.keys,
             level.current, level.proposed);
  }
  PrintRow("all", tables, family.keys(), family.current(), family.proposed());
}

std::string Gain(double hits, const Totals& totals) {
  const std::string lookup =
      hits == 0 ? "A lookup of an absent key"
                : absl::StrCat("A lookup that comes to the last level, where ",
                               PercentText(hits), " find their key,");
  std::string text = absl::StrCat(
      lookup, " wastes ", ReadsText(totals.current.false_positives),
      " reads today and ", ReadsText(totals.proposed.false_positives),
      " with the proposal");
  if (totals.current.false_positives > 1.05 * totals.proposed.false_positives &&
      totals.proposed.false_positives > 0) {
    const double gain =
        totals.current.false_positives / totals.proposed.false_positives;
    absl::StrAppend(
        &text, ", ",
        gain < 100 ? absl::StrFormat("%.1f", gain)
                   : WithCommas(static_cast<uint64_t>(std::min(gain, 1e15))),
        " times fewer");
  }
  absl::StrAppend(&text, "; filters take ", BytesText(totals.current.bytes),
                  " today and ", BytesText(totals.proposed.bytes),
                  " with the proposal.");
  return text;
}

void PrintWhatToDo(const Advice& advice) {
  absl::PrintF("\nWhat to do\n");
  for (const ColumnFamilyAdvice& family : advice.families) {
    const std::string call = SetOptionsCall(family);
    absl::PrintF("  column family \"%s\"%s\n", Printable(family.name),
                 call.empty() ? "" : ", while the database is open:");
    if (!call.empty())
      absl::PrintF("    %s\n  or in the OPTIONS file:\n", call);
    absl::PrintF("    filter_policy=%s\n", PolicyText(family.proposal));
  }
  PrintParagraph(
      "Tables get the new filters when compaction writes them again. A program "
      "that has the database open does not read a changed OPTIONS file, and "
      "writes its own options into the next one. So reopen the database with "
      "the new options.");
}

}  // namespace

std::string SetOptionsCall(const ColumnFamilyAdvice& family) {
  if (!family.policy.options.has_value()) return "";
  std::vector<std::string> changes;
  // This form of the names changes the policy in every version of RocksDB.
  const auto change = [&](const char* name, const std::string& value) {
    changes.push_back(absl::StrCat("{\"table_factory.filter_policy.", name,
                                   "\", \"", value, "\"}"));
  };
  for (const char* name : {"bits_per_key", "level_bits_per_key"}) {
    const std::string value = GetOption(name, family.proposal);
    if (!value.empty()) change(name, value);
  }
  // Otherwise it would stay as it is. (With a list it has no effect.)
  if (family.proposal.bits_per_key.has_value() &&
      family.policy.options->bits_by_level != family.proposal.bits_by_level) {
    change("bits_by_level", GetOption("bits_by_level", family.proposal));
  }
  return absl::StrCat("db->SetOptions(cf, {", absl::StrJoin(changes, ", "),
                      "});");
}

void PrintAdviceText(const Advice& advice) {
  absl::PrintF("%s%s%s\n", Printable(advice.path),
               advice.options_file.empty() ? "" : ", ",
               std::filesystem::path(advice.options_file).filename().string());
  for (const ColumnFamilyAdvice& family : advice.families) PrintFamily(family);
  absl::PrintF("\n");
  PrintParagraph(Gain(advice.hits, TotalsOf(advice.families)));
  if (!advice.same_memory.empty()) {
    PrintParagraph(absl::StrCat(
        "With today's memory, ",
        ReadsText(TotalsOf(advice.same_memory).proposed.false_positives),
        " reads would be wasted. With as many wasted reads as today, filters "
        "would take ",
        BytesText(TotalsOf(advice.same_reads).proposed.bytes), "."));
  }
  for (const std::string& remark : advice.remarks) PrintParagraph(remark);
  PrintWhatToDo(advice);
}

}  // namespace oneline
