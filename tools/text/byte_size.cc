#include "tools/text/byte_size.h"

#include <cmath>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"

namespace oneline {
namespace {

constexpr double kKi = 1024;

// 1024 or 1000 to the power that the unit tells; 0 if it is none.
double BytesOfUnit(absl::string_view unit) {
  const std::string name = absl::AsciiStrToLower(unit);
  if (name.empty() || name == "b") return 1;
  const size_t power = absl::string_view("kmgtp").find(name[0]) + 1;
  const std::string rest = name.substr(1);
  if (power == 0) return 0;
  if (rest.empty() || rest == "ib") return std::pow(kKi, power);
  return rest == "b" ? std::pow(1000, power) : 0;
}

}  // namespace

std::optional<double> ParseByteSize(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  size_t digits = text.size();
  while (digits > 0 && absl::ascii_isalpha(text[digits - 1])) --digits;
  const double unit = BytesOfUnit(text.substr(digits));
  double number;
  if (unit == 0 || !absl::SimpleAtod(text.substr(0, digits), &number)) {
    return std::nullopt;
  }
  return number * unit;
}

std::string BytesText(double bytes) {
  static constexpr const char* kNames[] = {"B",   "KiB", "MiB", "GiB",
                                           "TiB", "PiB", "EiB"};
  size_t i = 0;
  // From 1000 on, not from 1024, so that three digits are enough.
  while (bytes >= 999.5 && i + 1 < std::size(kNames)) {
    bytes /= kKi;
    ++i;
  }
  if (i == 0) return absl::StrFormat("%.0f B", bytes);
  return absl::StrFormat("%.*f %s",
                         bytes < 9.995   ? 2
                         : bytes < 99.95 ? 1
                                         : 0,
                         bytes, kNames[i]);
}

}  // namespace oneline
