// Compares the filters with what lookups met, by the statistics in the LOG.
// Only programs that keep statistics leave them there.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/doctor/family.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// What the statistics are compared with, of the column families whose options
// ask for filters.
struct Filters {
  bool have_prefixes = false;
  // Some were written since the sample began: lookups may have met others.
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
    for (const TableSummary& table : family.tables) {
      if (table.filter_bytes == 0) continue;
      all.bytes += table.filter_bytes;
      all.are_new |= table.file.number >= sample.first_new_table;
      if (!family.options.optimize_filters_for_hits) {
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
  const auto& sample = snapshot.log.statistics;
  return sample.has_value() && sample->is_of_newest_log ? &*sample : nullptr;
}

// "By the statistics in the LOG from ... to ... (1,234,567 lookups, 0 seeks)"
std::string OriginOf(const LookupStatistics& sample) {
  return absl::Substitute(
      "By the statistics in the LOG $0to $1 ($2 lookups, $3 seeks)",
      sample.begin.empty() ? "" : absl::StrCat("from ", sample.begin, " "),
      sample.end, WithCommas(sample.lookups), WithCommas(sample.seeks));
}

Findings CheckTheyAreAsked(const LookupStatistics& sample,
                           const Filters& filters) {
  const uint64_t in_memory = std::min(sample.memtable_hits, sample.lookups);
  if (sample.queries() > 0 || filters.last_level < 0 ||
      sample.lookups - in_memory + sample.seeks < kMinLookups) {
    return {};
  }
  return {Found(kNeverAsked, "", OriginOf(sample), BytesText(filters.bytes))};
}

// With half of the misses that hits reckons with, the filters of the last level
// are larger than they need to be; with twice as many they waste twice as much.
Findings CheckHits(const LookupStatistics& sample, const Filters& filters) {
  constexpr double kNearlyAll = 0.95;
  const std::optional<double> hits = sample.hits(filters.last_level);
  if (filters.last_level < 0 || !hits.has_value()) return {};
  const double absent = 1 - *hits, reckoned = 1 - filters.hits;
  const bool are_most = *hits >= kNearlyAll && absent < reckoned / 2;
  // With hits=1 there are no filters whose waste could grow.
  const bool are_fewer =
      filters.hits != 0 && filters.hits != 1 && absent > 2 * reckoned;
  if (!are_most && !are_fewer) return {};
  // Rounded down, because with a little less than there are, filters are a
  // little larger, and with 1 there are none.
  const double thousandths = std::min(0.999, std::floor(1000 * *hits) / 1000);
  return {Found(are_most ? kMostlyHits : kFewerHits, "", OriginOf(sample),
                PercentText(*hits), absl::StrFormat("%.3f", thousandths),
                absl::StrFormat("%.3g", filters.hits),
                absl::StrFormat("%.2g", absent / reckoned))};
}

// The rate that lookups met is that of the levels which they came to, so it
// lies between the lowest and the highest of all. Filters of prefixes have
// another: a prefix may be there where the key is not.
Findings CheckFalsePositives(const LookupStatistics& sample,
                             const Filters& filters) {
  const std::optional<double> met = sample.fp_rate();
  if (!met.has_value() || filters.have_prefixes) return {};
  const auto& [lowest, highest] = filters.rates;
  const std::string text = absl::Substitute(
      "$0, filters said maybe to $1 of the absent keys. By their tables $2$3 "
      "are expected$4.",
      OriginOf(sample), PercentText(*met), PercentText(lowest),
      lowest == highest ? "" : " to " + PercentText(highest),
      filters.are_new ? ", but some are newer than the statistics" : "");
  // Filters that were replaced meanwhile had other rates, but hardly such as no
  // filter has.
  const double most = std::max(filters.are_new ? 0.5 : 0, 2 * highest);
  const double absent = sample.useful + sample.positive - sample.true_positive;
  // A hundred more than chance gives, or so.
  const bool is_fine = *met * absent <= most * absent + 100;
  return {Found(is_fine ? kNote : kFalsePositives, "", text)};
}

}  // namespace

std::optional<double> HitsOf(const DatabaseSnapshot& snapshot) {
  if (!snapshot.log.statistics.has_value()) return std::nullopt;
  int last_level = 0;
  for (const auto& family : snapshot.column_families) {
    if (family.tables.empty()) continue;
    last_level = std::max(last_level, family.tables.back().file.level);
  }
  return snapshot.log.statistics->hits(last_level);
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
    all.push_back(Found(
        kNote, "",
        absl::StrCat(OriginOf(*snapshot.log.statistics), ", ",
                     PercentText(*hits),
                     " of the lookups that came to the last level found their "
                     "key there.")));
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
