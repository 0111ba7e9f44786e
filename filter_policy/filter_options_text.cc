#include "filter_policy/filter_options_text.h"

#include <cassert>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "table/filter_kind.h"

namespace oneline {
namespace {

constexpr double kMostBitsPerKey = 100;

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

absl::Status WrongValue(std::string_view name, std::string_view value,
                        std::string_view what_would_be_right) {
  return absl::InvalidArgumentError(absl::StrCat("oneline: ", Absl(name), "=",
                                                 Absl(value), ": must be ",
                                                 Absl(what_would_be_right)));
}

bool BitsPerKeyInBounds(double bits) {
  return bits >= 0 && bits <= kMostBitsPerKey;  // false for NaN
}

absl::Status WrongBitsPerKey(std::string_view value) {
  return WrongValue("bits_per_key", value,
                    "a number from 1 to 100, or 0 for no filter");
}

// To the thousandth: that is what is stored, compared and used.
double InThousandths(double bits) { return std::round(bits * 1000) / 1000; }

absl::Status SetKind(std::string_view value, FilterOptions* options) {
  const FilterKind* kind = FindFilterKind(value);
  if (kind == nullptr) return WrongValue("kind", value, "bloom");
  options->kind = static_cast<Kind>(kind->id);
  return absl::OkStatus();
}

absl::Status SetBitsPerKey(std::string_view value, FilterOptions* options) {
  double bits;
  if (!absl::SimpleAtod(Absl(value), &bits) || !BitsPerKeyInBounds(bits)) {
    return WrongBitsPerKey(value);
  }
  options->bits_per_key = InThousandths(bits);
  return absl::OkStatus();
}

absl::Status SetHashSeed(std::string_view value, FilterOptions* options) {
  uint64_t seed;
  if (value == "random") {
    options->hash_seed.reset();
  } else if (absl::SimpleAtoi(Absl(value), &seed)) {
    options->hash_seed = seed;
  } else {
    return WrongValue("hash_seed", value,
                      "random or a whole number from 0 to 2^64 - 1");
  }
  return absl::OkStatus();
}

absl::Status NotAPolicy(std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "oneline: \"", Absl(text),
      "\" names no policy of this library: must be oneline, "
      "oneline:<bits_per_key> or {id=oneline;<option>=<value>;...}"));
}

}  // namespace

absl::Status Validate(const FilterOptions& options) {
  if (FindFilterKind(static_cast<uint8_t>(options.kind)) == nullptr) {
    return WrongValue("kind", absl::StrCat(static_cast<int>(options.kind)),
                      "bloom");
  }
  if (!BitsPerKeyInBounds(options.bits_per_key)) {
    return WrongBitsPerKey(absl::StrCat(options.bits_per_key));
  }
  return absl::OkStatus();
}

absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options) {
  if (name == "kind") return SetKind(value, options);
  if (name == "bits_per_key") return SetBitsPerKey(value, options);
  if (name == "hash_seed") return SetHashSeed(value, options);
  return absl::InvalidArgumentError(
      absl::StrCat("oneline: ", Absl(name), ": no such option, must be one of ",
                   absl::StrJoin(kOptionNames, ", ",
                                 [](std::string* out, std::string_view option) {
                                   out->append(option);
                                 })));
}

std::string GetOption(std::string_view name, const FilterOptions& options) {
  if (name == "kind") {
    return FindFilterKind(static_cast<uint8_t>(options.kind))->name;
  }
  if (name == "bits_per_key") {
    // Six digits, which is what absl::StrCat prints, are enough for thousandths
    // up to 100.
    return absl::StrCat(InThousandths(options.bits_per_key));
  }
  assert(name == "hash_seed");
  return options.hash_seed.has_value() ? absl::StrCat(*options.hash_seed)
                                       : "random";
}

absl::Status ParsePolicy(std::string_view text, FilterOptions* options) {
  FilterOptions parsed;
  absl::string_view rest = Absl(text);
  if (absl::ConsumePrefix(&rest, "{") && absl::ConsumeSuffix(&rest, "}")) {
    bool ours = false;
    for (absl::string_view option :
         absl::StrSplit(rest, ';', absl::SkipWhitespace())) {
      const std::pair<absl::string_view, absl::string_view> name_value =
          absl::StrSplit(option, absl::MaxSplits('=', 1));
      const absl::string_view name =
          absl::StripAsciiWhitespace(name_value.first);
      const absl::string_view value =
          absl::StripAsciiWhitespace(name_value.second);
      if (name == "id") {
        ours = value == kPolicyName;
        continue;
      }
      const absl::Status status = SetOption(
          {name.data(), name.size()}, {value.data(), value.size()}, &parsed);
      if (!status.ok()) return status;
    }
    if (!ours) return NotAPolicy(text);
  } else if (absl::ConsumePrefix(&rest, absl::StrCat(kPolicyName, ":"))) {
    const absl::Status status =
        SetBitsPerKey({rest.data(), rest.size()}, &parsed);
    if (!status.ok()) return status;
  } else if (text != kPolicyName) {
    return NotAPolicy(text);
  }
  *options = parsed;
  return absl::OkStatus();
}

double EffectiveBitsPerKey(const FilterOptions& options) {
  const double bits = InThousandths(options.bits_per_key);
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

}  // namespace oneline
