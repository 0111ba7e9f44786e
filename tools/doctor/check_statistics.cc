// Compares the filters with what lookups met, by the statistics in the LOG.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/substitute.h"
#include "tools/doctor/family.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

using absl::Substitute;

// What the statistics are compared with, of the column families whose options
// ask for filters.
struct Filters {
  bool have_prefixes = false;
  // Some were written within the sample: what lookups met may be of others.
  bool are_new = false;
  double bytes = 0;
  // The lowest that has filters, of the families in which it should.
  int last_level = -1;
  double hits = 1;  // the least option of that name
  FilterRates rates;
};

Filters FiltersOf(const LookupStatistics& sample, const Families& families) {
  Filters all;
  for (const Family& family : families) {
    if (!family.wants_filters()) continue;
    const auto& options = family.policy.options;
    all.hits = std::min(all.hits, options.has_value() ? options->hits : 0);
    all.have_prefixes |= family.has_prefixes();
    for (const TableSummary& table : family.summary.tables) {
      if (table.filter_bytes == 0) continue;
      all.bytes += static_cast<double>(table.filter_bytes);
      all.are_new |= table.file.number >= sample.first_new_table;
      if (!family.summary.options.optimize_filters_for_hits) {
        all.last_level = std::max(all.last_level, table.file.level);
      }
      all.rates.lowest = std::min(all.rates.lowest, table.fp_rate);
      all.rates.highest = std::max(all.rates.highest, table.fp_rate);
    }
  }
  return all;
}

// Of the newest LOG: what an older one says is of other options and tables.
const LookupStatistics* Newest(const DatabaseSnapshot& snapshot) {
  const auto& sample = snapshot.statistics;
  return sample.has_value() && sample->is_of_newest_log ? &*sample : nullptr;
}

Finding Found(FindingKind kind, const LookupStatistics& sample,
              const std::string& what, const std::string& remedy = "") {
  return {kind, "", absl::StrCat(sample.Origin(), ", ", what), remedy};
}

Findings CheckTheyAreAsked(const LookupStatistics& sample,
                           const Filters& filters) {
  const uint64_t in_memory = std::min(sample.memtable_hits, sample.lookups());
  if (sample.queries() > 0 || filters.last_level < 0 ||
      sample.lookups() - in_memory + sample.seeks < kMinLookups) {
    return {};
  }
  return {Found(
      FindingKind::kNeverAsked, sample,
      Substitute("no filter was queried, although tables have $0 of them. "
                 "Seeks query only filters of prefixes.",
                 BytesText(filters.bytes)),
      "If the program looks up keys at other times, there is nothing to do. If "
      "it only iterates, set a prefix_extractor, or remove the filter policy: "
      "it takes memory, and processor time in compactions.")};
}

// For the option `hits`: rounded down, because with a little less than there
// are, filters are a little larger, and with 1 there are none.
double Thousandths(double hits) {
  return std::min(0.999, std::floor(1000 * hits) / 1000);
}

// The option hits says which share of the reads that filters of the last level
// waste does not matter: with half the share left the filters are larger than
// they need to be, with twice the share they waste twice as much.
Findings CheckHits(const LookupStatistics& sample, const Filters& filters) {
  constexpr double kNearlyAll = 0.95;
  const std::optional<double> hits = sample.hits(filters.last_level);
  if (filters.last_level < 0 || !hits.has_value()) return {};
  const std::string found =
      PercentText(*hits) +
      " of the lookups that came to the last level found their key there";
  const double absent = 1 - *hits, reckoned = 1 - filters.hits;
  const std::string remedy = absl::StrFormat(
      "Set hits=%.3f in the options of the policy", Thousandths(*hits));
  if (*hits >= kNearlyAll && absent < reckoned / 2) {
    return {Found(
        FindingKind::kMostlyHits, sample,
        found + ". Its filters, which are most of all, hardly save a read.",
        remedy + ": the filters of that level get fewer bits. (With RocksDB's "
                 "filters, optimize_filters_for_hits=true leaves them out.)")};
  }
  // With hits=1 there are no filters whose waste could grow.
  if (filters.hits == 0 || filters.hits == 1 || absent <= 2 * reckoned) {
    return {};
  }
  return {Found(FindingKind::kFewerHits, sample,
                absl::StrFormat("%s, where the policy has hits=%.3g: its "
                                "filters waste %.2g times the reads that they "
                                "should.",
                                found, filters.hits, absent / reckoned),
                remedy + ".")};
}

// The rate that lookups met is that of the levels which they came to, so it
// lies between the lowest and the highest of all. Filters of prefixes have
// another: a prefix may be there where the key is not.
Findings CheckFalsePositives(const LookupStatistics& sample,
                             const Filters& filters) {
  const std::optional<double> met = sample.fp_rate();
  if (!met.has_value() || filters.have_prefixes) return {};
  const auto& [lowest, highest] = filters.rates;
  const std::string text = Substitute(
      "filters said maybe to $0 of the absent keys. By their tables $1$2 are "
      "expected$3.",
      PercentText(*met), PercentText(lowest),
      lowest == highest ? "" : " to " + PercentText(highest),
      filters.are_new ? ", but some are newer than the statistics" : "");
  // Filters that were replaced within the sample had other rates, but hardly
  // such as no filter has.
  const double most =
      filters.are_new ? std::max(0.5, 2 * highest) : 2 * highest;
  const auto absent = static_cast<double>(sample.useful + sample.positive -
                                          sample.true_positive);
  // A hundred more than chance gives, or so.
  if (*met * absent <= most * absent + 100) {
    return {Found(FindingKind::kNote, sample, text)};
  }
  return {
      Found(FindingKind::kFalsePositives, sample,
            text + " Either the program ignores filters of this database, "
                   "or of another whose statistics it keeps together with "
                   "this one's.",
            "Check that the program runs with this library (`oneline "
            "doctor --expect=oneline`). If it does, run `oneline verify`.")};
}

}  // namespace

std::optional<double> HitsOf(const DatabaseSnapshot& snapshot) {
  if (!snapshot.statistics.has_value()) return std::nullopt;
  int last_level = 0;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    for (const TableSummary& table : family.tables) {
      last_level = std::max(last_level, table.file.level);
    }
  }
  return snapshot.statistics->hits(last_level);
}

std::optional<FilterRates> ExpectedRates(const DatabaseSnapshot& snapshot) {
  const LookupStatistics* const sample = Newest(snapshot);
  if (sample == nullptr || !sample->fp_rate().has_value()) return std::nullopt;
  const Filters filters = FiltersOf(*sample, FamiliesOf(snapshot));
  if (filters.bytes == 0 || filters.have_prefixes) return std::nullopt;
  return filters.rates;
}

Findings CheckStatistics(const Families& families) {
  const DatabaseSnapshot& snapshot = families.front().snapshot;
  Findings all;
  if (const std::optional<double> hits = HitsOf(snapshot)) {
    all.push_back(Found(FindingKind::kNote, *snapshot.statistics,
                        PercentText(*hits) +
                            " of the lookups that came to the last "
                            "level found their key there. The policy's "
                            "option hits can reckon with that."));
  }
  const LookupStatistics* const sample = Newest(snapshot);
  if (sample == nullptr) return all;
  const Filters filters = FiltersOf(*sample, families);
  if (filters.bytes == 0) return all;
  Append(CheckTheyAreAsked(*sample, filters), &all);
  Append(CheckHits(*sample, filters), &all);
  Append(CheckFalsePositives(*sample, filters), &all);
  return all;
}

}  // namespace oneline
