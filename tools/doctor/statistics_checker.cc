// Compares the filters with what lookups met, by the statistics in the LOG.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/database/configured_policy.h"
#include "tools/doctor/diagnosis.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// For the option `hits`: rounded down, because with a little less than there
// are, filters are a little larger, and with 1 there are none.
double Thousandths(double hits) {
  return std::min(0.999, std::floor(1000 * hits) / 1000);
}

// What the statistics are compared with, of the column families whose options
// ask for filters.
struct Filters {
  bool have_prefixes = false;
  double bytes = 0;
  // The lowest that has filters, of the families in which it should.
  int last_level = -1;
  // The least option hits of these families.
  double hits = 1;
  FilterRates rates;
};

Filters FiltersOf(const DatabaseSnapshot& snapshot) {
  Filters filters;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    if (!snapshot.HasUsableFilters(family)) continue;
    const ConfiguredPolicy policy =
        PolicyInOptions(snapshot.options.FilterPolicy(family.name));
    filters.hits = std::min(
        filters.hits, policy.options.has_value() ? policy.options->hits : 0);
    filters.have_prefixes |=
        snapshot.options.Get("CFOptions", family.name, "prefix_extractor")
            .value_or("nullptr") != "nullptr";
    for (const TableSummary& table : family.tables) {
      if (table.filter_bytes == 0) continue;
      filters.bytes += static_cast<double>(table.filter_bytes);
      if (!family.options.optimize_filters_for_hits) {
        filters.last_level = std::max(filters.last_level, table.file.level);
      }
      FilterRates& rates = filters.rates;
      rates.lowest = std::min(rates.lowest, table.fp_rate);
      rates.highest = std::max(rates.highest, table.fp_rate);
    }
  }
  return filters;
}

class StatisticsChecker {
 public:
  StatisticsChecker(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis)
      : sample_(*snapshot.statistics),
        filters_(FiltersOf(snapshot)),
        diagnosis_(diagnosis) {}

  void Run() {
    if (filters_.bytes == 0) return;
    CheckTheyAreAsked();
    CheckHits();
    CheckFalsePositives();
  }

 private:
  Finding& Add(const std::string& kind, const std::string& what,
               const std::string& remedy) {
    return diagnosis_->Add(kind, "", absl::StrCat(sample_.Origin(), ", ", what),
                           remedy);
  }

  void CheckTheyAreAsked() {
    const uint64_t in_memory =
        std::min(sample_.memtable_hits, sample_.lookups());
    if (sample_.queries() > 0 || filters_.last_level < 0 ||
        sample_.lookups() - in_memory + sample_.seeks < kMinLookups) {
      return;
    }
    Add("never-asked",
        absl::StrCat("no filter was queried, although tables have ",
                     BytesText(filters_.bytes),
                     " of them. Seeks query only filters of prefixes."),
        "If the program looks up keys at other times, there is nothing to do. "
        "If it only iterates, set a prefix_extractor, or remove the filter "
        "policy: it takes memory, and processor time in compactions.");
  }

  // The option hits says which share of the reads that filters of the last
  // level waste does not matter: with half the share left the filters are
  // larger than they need to be, with twice the share they waste twice as much.
  void CheckHits() {
    constexpr double kNearlyAll = 0.95;
    const std::optional<double> hits = sample_.hits(filters_.last_level);
    if (filters_.last_level < 0 || !hits.has_value()) return;
    const std::string found = absl::StrCat(
        PercentText(*hits),
        " of the lookups that came to the last level found their key there");
    if (*hits >= kNearlyAll && 1 - *hits < (1 - filters_.hits) / 2) {
      Add("mostly-hits",
          absl::StrCat(found,
                       ". Its filters, which are most of all, hardly save a "
                       "read."),
          absl::StrFormat(
              "Set hits=%.3f in the options of the policy (or, with filters of "
              "RocksDB, optimize_filters_for_hits=true, which leaves them "
              "out): the filters of that level get fewer bits.",
              Thousandths(*hits)));
    }
    // With hits=1 there are no filters whose waste could grow.
    if (filters_.hits > 0 && filters_.hits < 1 &&
        1 - *hits > 2 * (1 - filters_.hits)) {
      Add("fewer-hits",
          absl::StrCat(
              found, ", where the policy has hits=",
              absl::StrFormat("%.3g", filters_.hits), ": its filters waste ",
              absl::StrFormat("%.2g", (1 - *hits) / (1 - filters_.hits)),
              " times the reads that they should."),
          absl::StrFormat("Set hits=%.3f in the options of the policy.",
                          Thousandths(*hits)));
    }
  }

  // The rate that lookups met is that of the levels which they came to, so it
  // lies between the lowest and the highest of all. Filters of prefixes have
  // another: a prefix may be there where the key is not.
  void CheckFalsePositives() {
    const std::optional<double> met = sample_.fp_rate();
    if (!met.has_value() || filters_.have_prefixes) return;
    diagnosis_->expected_rates = filters_.rates;
    const double most = filters_.rates.highest;
    const std::string expected =
        absl::StrCat(PercentText(filters_.rates.lowest),
                     filters_.rates.lowest == most
                         ? ""
                         : absl::StrCat(" to ", PercentText(most)));
    const auto absent = static_cast<double>(sample_.useful + sample_.positive -
                                            sample_.true_positive);
    // A hundred more than chance gives, or so.
    if (*met * absent > 2 * most * absent + 100) {
      Add("false-positives",
          absl::StrCat("filters said maybe to ", PercentText(*met),
                       " of the absent keys; by their tables ", expected,
                       " are expected. Either the program ignores filters of "
                       "this database, or of another whose statistics it keeps "
                       "together with this one's."),
          "Check that the program runs with this library (`oneline doctor "
          "--expect=oneline`). If it does, run `oneline verify`.");
      return;
    }
    diagnosis_->notes.push_back(absl::StrCat(
        sample_.Origin(), ", filters said maybe to ", PercentText(*met),
        " of the absent keys. By their tables ", expected, " are expected."));
  }

  const LookupStatistics& sample_;
  const Filters filters_;
  Diagnosis* const diagnosis_;
};

// How often lookups find their key goes with the program rather than with its
// options or tables, so that an older LOG tells it, too.
void NoteHits(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  int last_level = 0;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    for (const TableSummary& table : family.tables) {
      last_level = std::max(last_level, table.file.level);
    }
  }
  diagnosis->hits = snapshot.statistics->hits(last_level);
  if (!diagnosis->hits.has_value()) return;
  diagnosis->notes.push_back(absl::StrCat(
      snapshot.statistics->Origin(), ", ", PercentText(*diagnosis->hits),
      " of the lookups that came to the last level found their key there. The "
      "policy's option hits can reckon with that."));
}

}  // namespace

void CheckStatistics(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  if (!snapshot.statistics.has_value()) return;
  NoteHits(snapshot, diagnosis);
  if (!snapshot.statistics->is_of_newest_log) return;
  StatisticsChecker(snapshot, diagnosis).Run();
}

}  // namespace oneline
