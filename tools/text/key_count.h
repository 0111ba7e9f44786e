// Numbers of keys as people write them: 1e13, 10000000000000 or 10T.

#ifndef ONELINE_TOOLS_TEXT_KEY_COUNT_H_
#define ONELINE_TOOLS_TEXT_KEY_COUNT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// More than any database has, and doubles are still exact.
inline constexpr double kMaxKeyCount = 1e15;

// The type of a flag. Its text is a number, alone or followed by k, M, G or T
// (powers of 1000), which is rounded to a whole number: 1 to kMaxKeyCount.
struct KeyCount {
  double keys = 0;
};

bool AbslParseFlag(absl::string_view text, KeyCount* count, std::string* error);
std::string AbslUnparseFlag(const KeyCount& count);

// Rounded, with commas: "10,000,000".
std::string KeyCountText(double keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_KEY_COUNT_H_
