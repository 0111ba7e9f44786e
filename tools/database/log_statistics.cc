#include "tools/database/log_statistics.h"

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tools/database/log_file.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

using Counter = uint64_t LookupStatistics::*;

// Names of the same counter, whose numbers add up, follow each other.
constexpr std::pair<absl::string_view, Counter> kCounters[] = {
    {"rocksdb.number.keys.read", &LookupStatistics::gets},
    {"rocksdb.number.multiget.keys.read", &LookupStatistics::multiget_keys},
    {"rocksdb.number.db.seek", &LookupStatistics::seeks},
    {"rocksdb.memtable.hit", &LookupStatistics::memtable_hits},
    {"rocksdb.l0.hit", &LookupStatistics::level0_hits},
    {"rocksdb.l1.hit", &LookupStatistics::level1_hits},
    {"rocksdb.l2andup.hit", &LookupStatistics::lower_hits},
    {"rocksdb.bloom.filter.useful", &LookupStatistics::useful},
    {"rocksdb.bloom.filter.full.positive", &LookupStatistics::positive},
    {"rocksdb.bloom.filter.full.true.positive",
     &LookupStatistics::true_positive},
    {"rocksdb.bloom.filter.prefix.checked", &LookupStatistics::prefix_checked},
    {"rocksdb.last.level.seek.filtered", &LookupStatistics::prefix_checked},
    {"rocksdb.last.level.seek.filter.match", &LookupStatistics::prefix_checked},
    {"rocksdb.non.last.level.seek.filtered", &LookupStatistics::prefix_checked},
    {"rocksdb.non.last.level.seek.filter.match",
     &LookupStatistics::prefix_checked},
};

// False if a line is not one of a counter or histogram.
bool ReadCounter(absl::string_view line, LookupStatistics* statistics) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::StartsWith(line, "rocksdb.")) return false;
  for (const auto& [name, counter] : kCounters) {
    absl::string_view count = line;
    if (absl::ConsumePrefix(&count, name) &&
        absl::ConsumePrefix(&count, " COUNT : ")) {
      uint64_t number = 0;
      if (absl::SimpleAtoi(count, &number)) statistics->*counter += number;
    }
  }
  return true;
}

// The number of a table that this line says was written.
std::optional<uint64_t> NewTable(absl::string_view line) {
  constexpr absl::string_view kEvent =
      "\"event\": \"table_file_creation\", \"file_number\": ";
  const size_t event = line.find(kEvent);
  uint64_t number = 0;
  if (event == line.npos) return std::nullopt;
  line.remove_prefix(event + kEvent.size());
  if (!absl::SimpleAtoi(line.substr(0, line.find(',')), &number)) {
    return std::nullopt;
  }
  return number;
}

// Each time that the statistics were written; `end` is when, and new tables are
// those since the time before.
std::vector<LookupStatistics> ReadAll(const std::string& log) {
  constexpr size_t kSeconds = 19;  // of "2026/11/24-11:20:24.322038"
  std::vector<LookupStatistics> all;
  LookupStatistics next;
  bool inside = false;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    inside = inside && ReadCounter(line, &all.back());
    if (const std::optional<uint64_t> table = NewTable(line)) {
      next.first_new_table = std::min(next.first_new_table, *table);
    }
    if (absl::EndsWith(line, "] STATISTICS:")) {
      inside = true;
      next.end = line.substr(0, kSeconds);
      all.push_back(std::exchange(next, {}));
    }
  }
  return all;
}

// Nothing if the statistics were begun anew after `earlier`.
std::optional<LookupStatistics> Since(const LookupStatistics& earlier,
                                      const LookupStatistics& later) {
  LookupStatistics sample = later;
  sample.begin = earlier.end;
  for (const auto& [name, counter] : kCounters) {
    if (earlier.*counter > later.*counter) return std::nullopt;
    sample.*counter = later.*counter - earlier.*counter;
  }
  return sample;
}

bool IsLargeEnough(const LookupStatistics& sample) {
  return sample.lookups() + sample.seeks >= kMinLookups;
}

std::optional<LookupStatistics> NewestSample(
    const std::vector<LookupStatistics>& all) {
  if (all.empty()) return std::nullopt;
  LookupStatistics newest = all.back();
  for (size_t i = all.size() - 1; i-- > 0;) {
    const std::optional<LookupStatistics> sample = Since(all[i], newest);
    if (!sample.has_value()) break;
    if (IsLargeEnough(*sample)) return sample;
    newest.first_new_table =
        std::min(newest.first_new_table, all[i].first_new_table);
  }
  if (IsLargeEnough(newest)) return newest;
  return std::nullopt;
}

}  // namespace

std::string LookupStatistics::Origin() const {
  return absl::StrCat("By the statistics in the LOG ",
                      begin.empty() ? "" : absl::StrCat("from ", begin, " "),
                      "to ", end, " (", WithCommas(lookups()), " lookups, ",
                      WithCommas(seeks), " seeks)");
}

std::optional<double> LookupStatistics::fp_rate() const {
  const uint64_t maybe = positive - std::min(positive, true_positive);
  if (useful + maybe < kMinLookups) return std::nullopt;
  return static_cast<double>(maybe) / static_cast<double>(useful + maybe);
}

std::optional<double> LookupStatistics::hits(int last_level) const {
  const uint64_t above = memtable_hits + (last_level > 0 ? level0_hits : 0) +
                         (last_level > 1 ? level1_hits : 0);
  const uint64_t found =
      memtable_hits + level0_hits + level1_hits + lower_hits - above;
  if (lookups() < above + kMinLookups) return std::nullopt;
  const uint64_t came = lookups() - above;
  return static_cast<double>(std::min(found, came)) / static_cast<double>(came);
}

std::optional<LookupStatistics> ReadLookupStatistics(
    const std::string& database, size_t max_logs) {
  const std::vector<std::string> logs = LogPaths(database);
  for (size_t i = 0; i < std::min(logs.size(), max_logs); ++i) {
    std::optional<LookupStatistics> sample = NewestSample(ReadAll(logs[i]));
    if (!sample.has_value()) continue;
    sample->is_of_newest_log = i == 0;
    return sample;
  }
  return std::nullopt;
}

}  // namespace oneline
