#include "tools/database/level_reads_log.h"

#include <cmath>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace oneline {
namespace {

// "Count: 107 Average: 2966.9252  StdDev: 3694.04".
std::optional<FileReads> ParseReads(const std::string& line) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, ' ', absl::SkipEmpty());
  FileReads reads;
  const bool valid = words.size() >= 4 && words[0] == "Count:" &&
                     absl::SimpleAtoi(words[1], &reads.count) &&
                     words[2] == "Average:" &&
                     absl::SimpleAtod(words[3], &reads.micros) &&
                     std::isfinite(reads.micros) && reads.micros >= 0;
  if (!valid) return std::nullopt;
  return reads;
}

}  // namespace

void LevelReadsReader::ReadLine(const std::string& line) {
  if (level_.has_value()) {
    const std::optional<FileReads> reads = ParseReads(line);
    if (reads.has_value()) reads_[family_][*level_] = *reads;
    level_.reset();
    return;
  }
  if (absl::EndsWith(line, "------- DUMPING STATS -------")) {
    reads_.clear();
    return;
  }
  absl::string_view text = line;
  if (absl::ConsumePrefix(&text, "** File Read Latency Histogram By Level [") &&
      absl::ConsumeSuffix(&text, "] **")) {
    family_ = std::string(text);
    return;
  }
  int level;
  if (absl::ConsumePrefix(&text, "** Level ") &&
      absl::ConsumeSuffix(&text, " read latency histogram (micros):") &&
      absl::SimpleAtoi(text, &level) && level >= 0) {
    level_ = level;
  }
}

}  // namespace oneline
