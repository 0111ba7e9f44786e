#include "tools/text/number_text.h"

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

}  // namespace oneline
