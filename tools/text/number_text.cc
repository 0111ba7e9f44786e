#include "tools/text/number_text.h"

#include <algorithm>

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
