#include "tools/database/log_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

// Reads a LOG line by line and keeps the last block cache, policy and refusal
// of each column family.
class LogReader {
 public:
  // Up to a line that has `until`, if given.
  void Read(const std::string& path, const std::string& until = "") {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (!until.empty() && absl::StrContains(line, until)) return;
      constexpr absl::string_view kSession = "DB Session ID:";
      const size_t session = line.find(kSession.data());
      if (session != std::string::npos) {
        session_ = line.substr(session + kSession.size());
      }
      ReadOptions(line);
      ReadRefusal(line);
    }
  }

  LogFile& result() { return result_; }

  // Of the database's opening; empty if it is not known.
  const std::string& session() const { return session_; }

  // Whether it has the policies of a run, or SetOptions changed one since.
  bool has_policies() const {
    return are_policies_old_ || !result_.filter_policies.empty();
  }

 private:
  void ReadOptions(const std::string& line) {
    const bool is_after_capacity = std::exchange(is_after_capacity_, false);
    constexpr absl::string_view kHeader = "Options for column family [";
    const size_t header = line.find(kHeader.data());
    if (header != std::string::npos) {
      const size_t begin = header + kHeader.size();
      const size_t end = line.rfind("]:");
      if (end == std::string::npos || end < begin) return;
      family_ = line.substr(begin, end - begin);
      cache_ = BlockCache();
      return;
    }
    // An input of SetOptions: from now on the OPTIONS file says it.
    if (absl::StrContains(line, "table_factory") &&
        absl::StrContains(line, "filter_policy")) {
      result_.filter_policies.clear();
      are_policies_old_ = true;
    }
    // When RocksDB goes on in a new LOG it repeats options, but not whose.
    if (family_.empty()) return;
    absl::string_view text = absl::StripAsciiWhitespace(line);
    if (absl::ConsumePrefix(&text, "block_cache: ")) {
      cache_.address = std::string(text);
    } else if (!cache_.address.empty() &&
               absl::ConsumePrefix(&text, "capacity : ") &&
               absl::SimpleAtoi(text, &cache_.capacity)) {
      result_.block_caches[family_] = cache_;
      cache_.address.clear();  // later capacities are those of other caches
      is_after_capacity_ = true;
    } else if (is_after_capacity &&
               absl::ConsumePrefix(&text, "num_shard_bits : ")) {
      int bits = -1;  // as RocksDB says where it does not know
      if (absl::SimpleAtoi(text, &bits) && bits >= 0) {
        result_.block_caches[family_].shard_bits = bits;
      }
    } else if (absl::ConsumePrefix(&text, "filter_policy: ")) {
      result_.filter_policies[family_] = NamedObject(std::string(text));
    }
  }

  void ReadRefusal(const std::string& line) {
    constexpr absl::string_view kBegin = "[ERROR] [";
    constexpr absl::string_view kEndOfFamily = "] oneline: ";
    const size_t used = line.rfind(kUsedInstead);
    const size_t begin = line.find(kBegin.data());
    if (used == std::string::npos || begin == std::string::npos) return;
    const size_t family = begin + kBegin.size();
    const size_t end = line.find(kEndOfFamily.data(), family);
    if (end == std::string::npos || end > used) return;
    const size_t mistake = end + 2;
    result_.refused[line.substr(family, end - family)] = {
        line.substr(mistake, used - mistake),
        line.substr(used + absl::string_view(kUsedInstead).size())};
  }

  LogFile result_;
  std::string session_;
  bool are_policies_old_ = false;
  std::string family_;  // empty before the first
  BlockCache cache_;
  bool is_after_capacity_ = false;
};

// Unavailable if the file is there, and this program may not read it.
absl::Status Allowed(const std::string& path) {
  if (access(path.c_str(), R_OK) == 0 || errno != EACCES) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat(path, ": can't be read: ", std::strerror(errno)));
}

}  // namespace

std::vector<std::string> LogPaths(const std::string& path) {
  std::vector<std::string> older;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (absl::StartsWith(name, "LOG.old.")) older.push_back(entry->path());
  }
  // Sorts by time, as microseconds have had the same number of digits since
  // 2001.
  std::sort(older.rbegin(), older.rend());
  older.insert(older.begin(), absl::StrCat(path, "/LOG"));
  return older;
}

std::map<std::string, std::string> PoliciesInOldLogs(const std::string& path) {
  std::map<std::string, std::string> found;
  const std::vector<std::string> logs = LogPaths(path);
  for (size_t i = 1; i < logs.size(); ++i) {
    LogReader reader;
    reader.Read(logs[i], /*until=*/"Recovered from manifest file");
    const std::string name = std::filesystem::path(logs[i]).filename();
    for (const auto& [family, policy] : reader.result().filter_policies) {
      if (!policy.has_value()) continue;
      found.emplace(family, absl::StrCat(*policy, " in ", name));
    }
  }
  return found;
}

LogFile ReadLogs(const std::string& path) {
  LogFile all;
  std::string session;
  bool has_policies = false;
  const std::vector<std::string> logs = LogPaths(path);
  for (const std::string& log : logs) {
    LogReader reader;
    reader.Read(log);
    const bool is_newest = log == logs.front();
    if (is_newest) {
      all.status = Allowed(log);
      all.refused = std::move(reader.result().refused);
      session = reader.session();
    }
    // When a run goes on in a new LOG, the one before has them.
    if (is_newest ||
        (!has_policies && !session.empty() && reader.session() == session)) {
      has_policies = reader.has_policies();
      all.filter_policies = std::move(reader.result().filter_policies);
    }
    // Addresses from different runs of a program must not be mixed.
    all.block_caches = std::move(reader.result().block_caches);
    if (!all.block_caches.empty()) break;
  }
  return all;
}

}  // namespace oneline
