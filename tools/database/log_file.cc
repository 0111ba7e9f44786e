#include "tools/database/log_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

using Counter = uint64_t LookupStatistics::*;

// The numbers of those that have the same counter add up.
constexpr std::pair<absl::string_view, Counter> kCounters[] = {
    {"number.keys.read", &LookupStatistics::lookups},
    {"number.multiget.keys.read", &LookupStatistics::lookups},
    {"number.db.seek", &LookupStatistics::seeks},
    {"memtable.hit", &LookupStatistics::memtable_hits},
    {"l0.hit", &LookupStatistics::level0_hits},
    {"l1.hit", &LookupStatistics::level1_hits},
    {"l2andup.hit", &LookupStatistics::lower_hits},
    {"bloom.filter.useful", &LookupStatistics::useful},
    {"bloom.filter.full.positive", &LookupStatistics::positive},
    {"bloom.filter.full.true.positive", &LookupStatistics::true_positive},
    {"bloom.filter.prefix.checked", &LookupStatistics::prefix_checked},
    {"last.level.seek.filtered", &LookupStatistics::prefix_checked},
    {"last.level.seek.filter.match", &LookupStatistics::prefix_checked},
    {"non.last.level.seek.filtered", &LookupStatistics::prefix_checked},
    {"non.last.level.seek.filter.match", &LookupStatistics::prefix_checked},
};

// What stands in a line after the first `begin` and before the last `end`.
std::optional<absl::string_view> Between(absl::string_view line,
                                         absl::string_view begin,
                                         absl::string_view end = "") {
  const size_t found = line.find(begin);
  if (found == line.npos) return std::nullopt;
  line.remove_prefix(found + begin.size());
  const size_t last = line.rfind(end);
  if (last == line.npos) return std::nullopt;
  return line.substr(0, last);
}

// Reads a LOG line by line. Keeps of each column family the last block cache,
// policy and refusal, and all statistics.
class LogReader {
 public:
  // Up to a line that has `until`, if given.
  explicit LogReader(const std::string& path, const std::string& until = "") {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (!until.empty() && absl::StrContains(line, until)) return;
      ReadOptions(line);
      ReadRefusal(line);
      ReadStatistics(line);
    }
  }

  LogFile log;          // without its status and statistics
  std::string session;  // of the database's opening; empty if it is not known
  // Each time that they were written; `end` is when, and new tables are those
  // since the time before. The last has the new tables alone.
  std::vector<LookupStatistics> statistics = {{}};

  // Whether it has the policies of a run, or SetOptions changed one since.
  bool has_policies() const {
    return are_policies_old_ || !log.filter_policies.empty();
  }

 private:
  void ReadOptions(absl::string_view line) {
    const bool is_after_capacity = std::exchange(is_after_capacity_, false);
    if (const auto id = Between(line, "DB Session ID:"))
      session = std::string(*id);
    if (const auto name = Between(line, "Options for column family [", "]:")) {
      family_ = std::string(*name);
      address_.clear();
      return;
    }
    // An input of SetOptions: from now on the OPTIONS file says it.
    if (absl::StrContains(line, "table_factory") &&
        absl::StrContains(line, "filter_policy")) {
      log.filter_policies.clear();
      are_policies_old_ = true;
    }
    // When RocksDB goes on in a new LOG it repeats options, but not whose.
    if (family_.empty()) return;
    uint64_t capacity = 0;
    int shard_bits = 0;
    absl::string_view text = absl::StripAsciiWhitespace(line);
    if (absl::ConsumePrefix(&text, "block_cache: ")) {
      address_ = std::string(text);
    } else if (!address_.empty() && absl::ConsumePrefix(&text, "capacity : ") &&
               absl::SimpleAtoi(text, &capacity)) {
      log.block_caches[family_] = {address_, capacity, {}};
      address_.clear();  // later capacities are those of other caches
      is_after_capacity_ = true;
    } else if (is_after_capacity &&
               absl::ConsumePrefix(&text, "num_shard_bits : ") &&
               absl::SimpleAtoi(text, &shard_bits) && shard_bits >= 0) {
      log.block_caches[family_].shard_bits = shard_bits;  // -1: not known
    } else if (absl::ConsumePrefix(&text, "filter_policy: ")) {
      log.filter_policies[family_] = std::string(text);
    }
  }

  void ReadRefusal(absl::string_view line) {
    const auto refusal = Between(line, "[ERROR] [", kUsedInstead);
    if (!refusal.has_value()) return;
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(*refusal, absl::MaxSplits("] oneline: ", 1));
    if (parts.second.empty()) return;
    const size_t policy = line.rfind(kUsedInstead) + std::strlen(kUsedInstead);
    log.refused[parts.first] = {"oneline: " + parts.second,
                                std::string(line.substr(policy))};
  }

  void ReadStatistics(absl::string_view line) {
    constexpr size_t kSeconds = 19;  // of "2026/11/24-11:20:24.322038"
    uint64_t number = 0;
    absl::string_view counter = absl::StripLeadingAsciiWhitespace(line);
    are_counters_ = are_counters_ && absl::ConsumePrefix(&counter, "rocksdb.");
    if (are_counters_) {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(counter, absl::MaxSplits(" COUNT : ", 1));
      for (const auto& [name, member] : kCounters) {
        if (parts.first == name && absl::SimpleAtoi(parts.second, &number)) {
          (statistics.rbegin()[1]).*member += number;
        }
      }
    } else if (const auto table = Between(line,
                                          "\"event\": \"table_file_creation\", "
                                          "\"file_number\": ");
               table.has_value() &&
               absl::SimpleAtoi(table->substr(0, table->find(',')), &number)) {
      uint64_t& first = statistics.back().first_new_table;
      first = std::min(first, number);
    } else if (absl::EndsWith(line, "] STATISTICS:")) {
      are_counters_ = true;
      statistics.back().end = std::string(line.substr(0, kSeconds));
      statistics.emplace_back();
    }
  }

  bool are_policies_old_ = false;
  std::string family_;   // empty before the first
  std::string address_;  // of the block cache whose capacity is to come
  bool is_after_capacity_ = false;
  bool are_counters_ = false;
};

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

std::optional<LookupStatistics> NewestSample(
    std::vector<LookupStatistics> all) {
  const uint64_t newer_table = all.back().first_new_table;
  all.pop_back();
  if (all.empty()) return std::nullopt;
  const auto is_large_enough = [](const LookupStatistics& sample) {
    return sample.lookups + sample.seeks >= kMinLookups;
  };
  LookupStatistics newest = all.back();
  newest.first_new_table = std::min(newest.first_new_table, newer_table);
  for (size_t i = all.size() - 1; i-- > 0;) {
    const std::optional<LookupStatistics> sample = Since(all[i], newest);
    if (!sample.has_value()) break;
    if (is_large_enough(*sample)) return sample;
    newest.first_new_table =
        std::min(newest.first_new_table, all[i].first_new_table);
  }
  if (is_large_enough(newest)) return newest;
  return std::nullopt;
}

// The newest first.
std::vector<std::string> LogPaths(const std::string& path) {
  std::vector<std::string> paths = {absl::StrCat(path, "/LOG")};
  const auto older = NumberedFiles(path, "LOG.old.");
  for (auto log = older.rbegin(); log != older.rend(); ++log) {
    paths.push_back(log->second);
  }
  return paths;
}

// Unavailable if the file is there, and this program may not read it.
absl::Status Allowed(const std::string& path) {
  if (access(path.c_str(), R_OK) == 0 || errno != EACCES) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat(path, ": can't be read: ", std::strerror(errno)));
}

}  // namespace

std::optional<double> LookupStatistics::fp_rate() const {
  const uint64_t maybe = positive - std::min(positive, true_positive);
  if (useful + maybe < kMinLookups) return std::nullopt;
  return 1.0 * maybe / (useful + maybe);
}

std::optional<double> LookupStatistics::hits(int last_level) const {
  const uint64_t above = memtable_hits + (last_level > 0 ? level0_hits : 0) +
                         (last_level > 1 ? level1_hits : 0);
  const uint64_t found =
      memtable_hits + level0_hits + level1_hits + lower_hits - above;
  if (lookups < above + kMinLookups) return std::nullopt;
  const uint64_t came = lookups - above;
  return 1.0 * std::min(found, came) / came;
}

LogFile ReadLogs(const std::string& path) {
  constexpr size_t kLogsWithStatistics = 4;
  const std::vector<std::string> logs = LogPaths(path);
  LogReader newest(logs[0]);
  LogFile all = std::move(newest.log);
  for (const std::string& log : logs) all.status.Update(Allowed(log));
  all.statistics = NewestSample(newest.statistics);
  bool has_policies = newest.has_policies();
  for (size_t i = 1; i < logs.size(); ++i) {
    const bool lacks_caches = all.block_caches.empty();
    const bool lacks_statistics =
        !all.statistics.has_value() && i < kLogsWithStatistics;
    if (!lacks_caches && !lacks_statistics) break;
    LogReader older(logs[i]);
    // When a run goes on in a new LOG, the one before has them.
    if (lacks_caches && !has_policies && !newest.session.empty() &&
        older.session == newest.session) {
      has_policies = older.has_policies();
      all.filter_policies = std::move(older.log.filter_policies);
    }
    // Addresses from different runs of a program must not be mixed.
    if (lacks_caches) all.block_caches = std::move(older.log.block_caches);
    if (!lacks_statistics) continue;
    all.statistics = NewestSample(older.statistics);
    if (all.statistics.has_value()) all.statistics->is_of_newest_log = false;
  }
  return all;
}

std::map<std::string, std::string> PoliciesInOldLogs(const std::string& path) {
  std::map<std::string, std::string> found;
  const std::vector<std::string> logs = LogPaths(path);
  for (size_t i = 1; i < logs.size(); ++i) {
    const LogReader old(logs[i], /*until=*/"Recovered from manifest file");
    const std::string name = std::filesystem::path(logs[i]).filename();
    for (const auto& [family, policy] : old.log.filter_policies) {
      if (policy == kNoObject) continue;
      found.emplace(family, absl::StrCat(policy, " in ", name));
    }
  }
  return found;
}

}  // namespace oneline
