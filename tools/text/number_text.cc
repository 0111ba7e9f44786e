#include "tools/text/number_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace oneline {

std::string WithCommas(uint64_t number) {
  std::string digits = absl::StrCat(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string Tables(uint64_t number) {
  return absl::StrCat(WithCommas(number), number == 1 ? " table" : " tables");
}

std::optional<double> ParseNumber(absl::string_view text) {
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
  if (!absl::SimpleAtod(text, &number)) return std::nullopt;
  return number * unit;
}

std::string KeyCountText(double keys) {
  return WithCommas(static_cast<uint64_t>(std::llround(keys)));
}

std::string PercentText(double rate) {
  if (rate >= 0.9995) return "100 %";  // "%#.3g" would print "100. %"
  return rate == 0 ? "0 %" : absl::StrFormat("%#.3g %%", 100 * rate);
}

std::string DurationText(double seconds) {
  // A rate of almost nothing gives any number.
  const auto whole = static_cast<int64_t>(std::min(seconds, 1e9));
  const int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? absl::StrFormat("%d:%02d:%02d", hours, minutes, whole % 60)
                   : absl::StrFormat("%d:%02d", minutes, whole % 60);
}

}  // namespace oneline
