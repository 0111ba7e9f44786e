#include "tools/text/key_count.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"

namespace oneline {
namespace {

// The factor of a unit; 0 if it is none.
double UnitKeys(char unit) {
  switch (absl::ascii_tolower(static_cast<unsigned char>(unit))) {
    case 'k':
      return 1e3;
    case 'm':
      return 1e6;
    case 'g':
      return 1e9;
    case 't':
      return 1e12;
    default:
      return 0;
  }
}

}  // namespace

bool AbslParseFlag(absl::string_view text, KeyCount* count,
                   std::string* error) {
  text = absl::StripAsciiWhitespace(text);
  double unit = text.empty() ? 0 : UnitKeys(text.back());
  if (unit > 0) {
    text.remove_suffix(1);
  } else {
    unit = 1;
  }
  double number;
  if (absl::SimpleAtod(text, &number) && std::round(number * unit) >= 1 &&
      number * unit <= kMaxKeyCount) {
    count->keys = std::round(number * unit);
    return true;
  }
  *error =
      "must be a number of keys, as 5000000, 1e13 or 10M, and at most 1e15";
  return false;
}

std::string AbslUnparseFlag(const KeyCount& count) {
  return absl::StrFormat("%.17g", count.keys);
}

std::string KeyCountText(double keys) {
  std::string text = absl::StrFormat("%.0f", keys);
  for (size_t end = text.size(); end > 3;) {
    end -= 3;
    text.insert(end, 1, ',');
  }
  return text;
}

}  // namespace oneline
