#include "tools/text/number_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace oneline {
namespace {

// "1.5 GiB" is 1.5, 3 and "ib".
struct NumberWithUnit {
  double number = 0;
  size_t power = 0;  // of 1000 or 1024, by the unit's first letter
  std::string rest;  // of the unit, in lower case
};

std::optional<NumberWithUnit> Parse(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  size_t digits = text.size();
  while (digits > 0 && absl::ascii_isalpha(text[digits - 1])) --digits;
  NumberWithUnit parsed;
  if (!absl::SimpleAtod(text.substr(0, digits), &parsed.number)) {
    return std::nullopt;
  }
  parsed.rest = absl::AsciiStrToLower(text.substr(digits));
  if (parsed.rest.empty()) return parsed;
  parsed.power = absl::string_view("kmgtp").find(parsed.rest[0]) + 1;
  if (parsed.power > 0) parsed.rest.erase(0, 1);
  return parsed;
}

}  // namespace

std::string WithCommas(uint64_t number) {
  std::string digits = absl::StrCat(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string Tables(uint64_t number) {
  return absl::StrCat(WithCommas(number), number == 1 ? " table" : " tables");
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

std::string BytesText(double bytes) {
  if (bytes < 999.5) return absl::StrFormat("%.0f B", bytes);
  const char* unit = "KMGTPE";
  // From 1000 on, not from 1024, so that three digits are enough.
  for (bytes /= 1024; bytes >= 999.5 && *unit != 'E'; ++unit) bytes /= 1024;
  const int decimals = bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f %ciB", decimals, bytes, *unit);
}

std::optional<double> ParseNumber(absl::string_view text) {
  const std::optional<NumberWithUnit> parsed = Parse(text);
  if (!parsed.has_value() || !parsed->rest.empty()) return std::nullopt;
  return parsed->number * std::pow(1000, parsed->power);
}

std::optional<double> ParseByteSize(absl::string_view text) {
  const std::optional<NumberWithUnit> parsed = Parse(text);
  if (!parsed.has_value()) return std::nullopt;
  const bool is_decimal = parsed->rest == "b";
  const bool is_binary = parsed->rest == "ib" && parsed->power > 0;
  if (!is_decimal && !is_binary && !parsed->rest.empty()) return std::nullopt;
  return parsed->number * std::pow(is_decimal ? 1000 : 1024, parsed->power);
}

}  // namespace oneline
