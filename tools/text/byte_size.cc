#include "tools/text/byte_size.h"

#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"

namespace oneline {
namespace {

struct Unit {
  const char* name;
  double bytes;
};

constexpr double kKi = 1024, kMi = kKi * kKi, kGi = kKi * kMi, kTi = kKi * kGi,
                 kPi = kKi * kTi;
// Every integer type has room for it.
constexpr double kMaxBytes = 1024 * kPi;
constexpr Unit kUnits[] = {
    {"", 1},      {"B", 1},     {"K", kKi},   {"KiB", kKi}, {"kB", 1e3},
    {"M", kMi},   {"MiB", kMi}, {"MB", 1e6},  {"G", kGi},   {"GiB", kGi},
    {"GB", 1e9},  {"T", kTi},   {"TiB", kTi}, {"TB", 1e12}, {"P", kPi},
    {"PiB", kPi}, {"PB", 1e15}};

}  // namespace

bool AbslParseFlag(absl::string_view text, ByteSize* size, std::string* error) {
  text = absl::StripAsciiWhitespace(text);
  size_t digits = text.size();
  while (digits > 0 && absl::ascii_isalpha(text[digits - 1])) --digits;
  const absl::string_view unit_name = text.substr(digits);
  double number;
  if (absl::SimpleAtod(text.substr(0, digits), &number) && number >= 0) {
    for (const Unit& unit : kUnits) {
      if (absl::EqualsIgnoreCase(unit_name, unit.name) &&
          number * unit.bytes <= kMaxBytes) {
        size->bytes = number * unit.bytes;
        return true;
      }
    }
  }
  *error =
      "must be a number of bytes, as 512MiB, 1.5GB or 4096, and at most "
      "1024PiB";
  return false;
}

std::string AbslUnparseFlag(const ByteSize& size) {
  return absl::StrFormat("%.17g", size.bytes);
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
