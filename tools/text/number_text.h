// Numbers as people read and write them.

#ifndef ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
#define ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// "7,315,688"
std::string WithCommas(uint64_t number);

// "1 table", "7,315 tables"
std::string Tables(uint64_t number);

// A number of keys as people write it: 1e13, 10000000000000 or 10T. The type of
// a flag. Its text is a number, alone or followed by k, M, G or T (powers of
// 1000), which is rounded to a whole number: 1 to kMaxKeyCount.
struct KeyCount {
  double keys = 0;
};

// More than any database has, and doubles are still exact.
inline constexpr double kMaxKeyCount = 1e15;

bool AbslParseFlag(absl::string_view text, KeyCount* count, std::string* error);
std::string AbslUnparseFlag(const KeyCount& count);

// Rounded, with commas: "10,000,000".
std::string KeyCountText(double keys);

// A rate from 0 to 1, with three digits: "0.163 %", "100 %", "2.10e-05 %".
std::string PercentText(double rate);

// "0:07", "12:34", "1:02:34"
std::string DurationText(double seconds);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
