// Reads from a LOG how often the tables of each level were read from their
// files, and how long that took. RocksDB writes it with the statistics, but for
// each column family:
//
//   ** File Read Latency Histogram By Level [default] **
//   ** Level 0 read latency histogram (micros):
//   Count: 107 Average: 2966.9252  StdDev: 3694.04

#ifndef ONELINE_TOOLS_DATABASE_LEVEL_READS_LOG_H_
#define ONELINE_TOOLS_DATABASE_LEVEL_READS_LOG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oneline {

// Since the database was opened: by lookups, iterators and compactions.
struct FileReads {
  uint64_t count = 0;
  double micros = 0;  // of one, on average
};

// By column family and level. Levels that were not read are missing.
using LevelReads = std::map<std::string, std::map<int, FileReads>>;

class LevelReadsReader {
 public:
  // Takes the next line of a LOG. What can't be parsed is left out.
  void ReadLine(const std::string& line);

  // Those of the last dump of statistics.
  const LevelReads& last_dump() const { return reads_; }

 private:
  LevelReads reads_;
  std::string family_;
  std::optional<int> level_;  // the next line has the numbers of this level
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LEVEL_READS_LOG_H_
