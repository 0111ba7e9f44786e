// What `oneline doctor` finds wrong with the filters of a database.

#ifndef ONELINE_TOOLS_DOCTOR_DIAGNOSIS_H_
#define ONELINE_TOOLS_DOCTOR_DIAGNOSIS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/doctor/database_snapshot.h"
#include "tools/text/prometheus_text.h"

namespace oneline {

// The tables of one level that a finding is about.
struct AffectedLevel {
  int level = 0;
  uint64_t tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // What filters written now would take, at least and at most: with
  // bits_by_level that depends on the tree. 0 if the finding is not about
  // sizes.
  double expected_bytes = 0, most_expected_bytes = 0;
};

struct Finding {
  std::string kind;           // a name for programs, such as "no-filter"
  std::string column_family;  // empty: the finding is about the whole database
  std::string what;           // what is wrong, and what that means for reads
  std::string remedy;         // what to do
  std::vector<std::string> commands = {};  // of the remedy, for a shell
  std::vector<AffectedLevel> levels = {};

  // A fault: lookups fail, or are slower than they should be. Otherwise a
  // warning: the filters in use work, and nothing is urgent.
  bool is_fault() const;
};

// The lowest and the highest false-positive rate of the filters that the
// options ask for.
struct FilterRates {
  double lowest = 1, highest = 0;
};

inline constexpr char kSizeSaysHowMany[] =
    "`oneline size --memory=SIZE` says what so much memory gives.";

struct Diagnosis {
  std::vector<Finding> findings;
  // What could not be checked, and why; what is as asked and worth knowing.
  std::vector<std::string> notes;

  // Of the lookups that came to the last level, the share that found their key
  // there, if there are statistics.
  std::optional<double> hits;

  // Beside the rate that lookups met.
  std::optional<FilterRates> expected_rates;

  Finding& Add(const std::string& kind, const std::string& column_family,
               const std::string& what, const std::string& remedy) {
    findings.push_back({kind, column_family, what, remedy});
    return findings.back();
  }
  bool has_fault() const;
};

Diagnosis Diagnose(const DatabaseSnapshot& snapshot);

// Its parts for a database as a whole. Findings about its file numbers, and
// about column families that are expected and not there; and a note if nobody
// asks for filters, which nothing else in `diagnosis` says.
void CheckDatabase(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

// A finding for each block cache that is smaller than its filters, and a note
// if sizes are not known. Column families may share a cache.
void CheckBlockCaches(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

// Findings where filters do not do what lookups met, by the statistics in the
// LOG, and a note with the false-positive rate. Nothing without such a sample,
// which only programs that keep statistics leave.
void CheckStatistics(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

// Adds whether the database at `path` could be examined as a metric.
void AddExamined(const std::string& path, bool is_examined,
                 PrometheusText* metrics);

// Adds that it could be, and what was found.
void AddMetrics(const std::string& path, const Diagnosis& diagnosis,
                PrometheusText* metrics);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DIAGNOSIS_H_
