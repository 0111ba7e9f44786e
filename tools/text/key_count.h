// Numbers of keys as people write them: 1e13, 10000000000000, 10T.

#ifndef ONELINE_TOOLS_TEXT_KEY_COUNT_H_
#define ONELINE_TOOLS_TEXT_KEY_COUNT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// As a flag: a number, at least 1, alone or followed by k, M, G or T (powers of
// 1000). A double, which is exact up to 2^53.
struct KeyCount {
  double keys = 0;
};

bool AbslParseFlag(absl::string_view text, KeyCount* count, std::string* error);
std::string AbslUnparseFlag(const KeyCount& count);

// For people to read: "10,000,000".
std::string KeyCountText(double keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_KEY_COUNT_H_
