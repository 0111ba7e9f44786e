// Whether the filter of one table is intact: every block of it, and every key.

#ifndef ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_
#define ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_

#include <cstdint>
#include <functional>
#include <string>

namespace oneline {

// What came of a table.
enum class TableVerdict {
  kIntact,      // all is there
  kUnfiltered,  // it has no filter, and its keys were not read
  kNotChecked,  // it has a filter, or a format, that this program can't read
  kDamaged,     // its filter or the table
  kMissing,     // there is no such file
};

struct VerifiedTable {
  TableVerdict verdict = TableVerdict::kIntact;
  std::string message;  // what is damaged, or why it was not checked

  // Prefixes that are in the filter and were not checked, the keys being; the
  // extractor's name.
  std::string unknown_extractor;

  // What was checked.
  uint64_t blocks = 0;
  uint64_t partitions = 0;  // those of the blocks that are one
  uint64_t keys = 0;        // different ones, deleted ones among them
  uint64_t prefixes = 0;    // each time another one comes
};

// `progress` is called now and then with the entries read since the last time,
// and how many the table has.
VerifiedTable VerifyTable(
    const std::string& path,
    const std::function<void(uint64_t read, uint64_t all)>& progress);

}  // namespace oneline

#endif  // ONELINE_TOOLS_VERIFY_VERIFY_TABLE_H_
