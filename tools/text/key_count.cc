#include "tools/text/key_count.h"

#include <cmath>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "tools/text/number_text.h"

namespace oneline {

bool AbslParseFlag(absl::string_view text, KeyCount* count,
                   std::string* error) {
  text = absl::StripAsciiWhitespace(text);
  double unit = 1;
  if (!text.empty()) {
    const char last = absl::ascii_tolower(static_cast<uint8_t>(text.back()));
    const size_t at = absl::string_view("kmgt").find(last);
    if (at != absl::string_view::npos) {
      unit = std::pow(1000, at + 1);
      text.remove_suffix(1);
    }
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
  return WithCommas(static_cast<uint64_t>(std::llround(keys)));
}

}  // namespace oneline
