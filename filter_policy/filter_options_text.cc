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
#include "table/kind_choice.h"

namespace oneline {
namespace {

constexpr double kMostBitsPerKey = 100;

// What each kind reaches with 1 to 100 bits per key: Bloom needs 80.2 for the
// least, Ribbon 50.3, and 1.4 are enough for the most.
constexpr double kLeastFpRate = 1e-9;
constexpr double kMostFpRate = 0.5;

// More levels than a database has. RocksDB 9.10 takes the largest int for "all
// tables", which is kind=bloom here.
constexpr int kMostBloomBeforeLevel = 1000;

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

bool FpRateInBounds(double rate) {
  return rate >= kLeastFpRate && rate <= kMostFpRate;  // false for NaN
}

absl::Status WrongFpRate(std::string_view value) {
  return WrongValue("fp_rate", value, "a number from 1e-9 to 0.5");
}

// Said twice: filter_options.h, which users include, includes none of ours.
static_assert(FilterOptions().effort == kDefaultEffort);

bool EffortInBounds(int effort) {
  return effort == 1 || effort == 2 || effort == 4 || effort == 8;
}

absl::Status WrongEffort(std::string_view value) {
  return WrongValue("effort", value, "1, 2, 4 or 8");
}

bool BloomBeforeLevelInBounds(int level) {
  return level >= -1 && level <= kMostBloomBeforeLevel;
}

absl::Status WrongBloomBeforeLevel(std::string_view value) {
  return WrongValue("bloom_before_level", value,
                    "a whole number from -1 to 1000");
}

absl::Status WrongKind(std::string_view value) {
  return WrongValue("kind", value, "ribbon or bloom");
}

absl::Status BothGiven(std::string_view bits_per_key,
                       std::string_view fp_rate) {
  return absl::InvalidArgumentError(absl::StrCat(
      "oneline: bits_per_key=", Absl(bits_per_key),
      " and fp_rate=", Absl(fp_rate), ": both given, must be one of them"));
}

// To the thousandth: that is what is stored, compared and used.
double InThousandths(double bits) { return std::round(bits * 1000) / 1000; }

// To six digits, which is what absl::StrCat prints, for the same reason.
double InSixDigits(double rate) {
  double rounded = rate;
  const bool is_number = absl::SimpleAtod(absl::StrCat(rate), &rounded);
  assert(is_number);
  (void)is_number;
  return rounded;
}

absl::Status SetKind(std::string_view value, FilterOptions* options) {
  const FilterKind* kind = FindFilterKind(value);
  if (kind == nullptr) return WrongKind(value);
  options->kind = static_cast<Kind>(kind->id);
  return absl::OkStatus();
}

absl::Status SetBitsPerKey(std::string_view value, FilterOptions* options) {
  double bits;
  if (!absl::SimpleAtod(Absl(value), &bits) || !BitsPerKeyInBounds(bits)) {
    return WrongBitsPerKey(value);
  }
  options->bits_per_key = InThousandths(bits);
  options->fp_rate.reset();
  return absl::OkStatus();
}

absl::Status SetFpRate(std::string_view value, FilterOptions* options) {
  double rate;
  if (!absl::SimpleAtod(Absl(value), &rate) || !FpRateInBounds(rate)) {
    return WrongFpRate(value);
  }
  options->fp_rate = InSixDigits(rate);
  options->bits_per_key.reset();
  return absl::OkStatus();
}

absl::Status SetEffort(std::string_view value, FilterOptions* options) {
  int effort;
  if (!absl::SimpleAtoi(Absl(value), &effort) || !EffortInBounds(effort)) {
    return WrongEffort(value);
  }
  options->effort = effort;
  return absl::OkStatus();
}

absl::Status SetBloomBeforeLevel(std::string_view value,
                                 FilterOptions* options) {
  int level;
  if (!absl::SimpleAtoi(Absl(value), &level) ||
      !BloomBeforeLevelInBounds(level)) {
    return WrongBloomBeforeLevel(value);
  }
  options->bloom_before_level = level;
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

// The options of "{id=oneline;<name>=<value>;...}", from between the braces.
// False if the id is another.
bool SplitOptions(absl::string_view text, NamesAndValues* given) {
  bool ours = false;
  for (absl::string_view option :
       absl::StrSplit(text, ';', absl::SkipWhitespace())) {
    const std::pair<absl::string_view, absl::string_view> name_value =
        absl::StrSplit(option, absl::MaxSplits('=', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(name_value.first);
    const absl::string_view value =
        absl::StripAsciiWhitespace(name_value.second);
    if (name == "id") {
      ours = value == kPolicyName;
    } else {
      given->emplace_back(name, value);
    }
  }
  return ours;
}

}  // namespace

absl::Status Validate(const FilterOptions& options) {
  if (FindFilterKind(static_cast<uint8_t>(options.kind)) == nullptr) {
    return WrongKind(absl::StrCat(static_cast<int>(options.kind)));
  }
  if (options.bits_per_key.has_value() && options.fp_rate.has_value()) {
    return BothGiven(absl::StrCat(*options.bits_per_key),
                     absl::StrCat(*options.fp_rate));
  }
  if (options.bits_per_key.has_value() &&
      !BitsPerKeyInBounds(*options.bits_per_key)) {
    return WrongBitsPerKey(absl::StrCat(*options.bits_per_key));
  }
  if (options.fp_rate.has_value() && !FpRateInBounds(*options.fp_rate)) {
    return WrongFpRate(absl::StrCat(*options.fp_rate));
  }
  if (!EffortInBounds(options.effort)) {
    return WrongEffort(absl::StrCat(options.effort));
  }
  if (!BloomBeforeLevelInBounds(options.bloom_before_level)) {
    return WrongBloomBeforeLevel(absl::StrCat(options.bloom_before_level));
  }
  return absl::OkStatus();
}

absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options) {
  if (name == "kind") return SetKind(value, options);
  if (name == "bits_per_key") return SetBitsPerKey(value, options);
  if (name == "fp_rate") return SetFpRate(value, options);
  if (name == "effort") return SetEffort(value, options);
  if (name == "bloom_before_level") return SetBloomBeforeLevel(value, options);
  if (name == "hash_seed") return SetHashSeed(value, options);
  return absl::InvalidArgumentError(
      absl::StrCat("oneline: ", Absl(name), ": no such option, must be one of ",
                   absl::StrJoin(kOptionNames, ", ",
                                 [](std::string* out, std::string_view option) {
                                   out->append(option);
                                 })));
}

absl::Status SetOptionsTogether(const NamesAndValues& given,
                                FilterOptions* options) {
  FilterOptions changed = *options;
  const std::string *bits_per_key = nullptr, *fp_rate = nullptr;
  for (const auto& [name, value] : given) {
    const absl::Status status = SetOption(name, value, &changed);
    if (!status.ok()) return status;
    if (name == "bits_per_key") bits_per_key = &value;
    if (name == "fp_rate") fp_rate = &value;
  }
  if (bits_per_key != nullptr && fp_rate != nullptr) {
    return BothGiven(*bits_per_key, *fp_rate);
  }
  *options = changed;
  return absl::OkStatus();
}

std::string GetOption(std::string_view name, const FilterOptions& options) {
  if (name == "kind") {
    return FindFilterKind(static_cast<uint8_t>(options.kind))->name;
  }
  if (name == "bits_per_key") {
    if (options.fp_rate.has_value()) return "";
    // Six digits, which is what absl::StrCat prints, are enough for thousandths
    // up to 100.
    return absl::StrCat(
        InThousandths(options.bits_per_key.value_or(kDefaultBitsPerKey)));
  }
  if (name == "fp_rate") {
    return options.fp_rate.has_value() ? absl::StrCat(*options.fp_rate) : "";
  }
  if (name == "effort") return absl::StrCat(options.effort);
  if (name == "bloom_before_level") {
    return absl::StrCat(options.bloom_before_level);
  }
  assert(name == "hash_seed");
  return options.hash_seed.has_value() ? absl::StrCat(*options.hash_seed)
                                       : "random";
}

absl::Status ParsePolicy(std::string_view text, FilterOptions* options) {
  NamesAndValues given;
  absl::string_view rest = Absl(text);
  if (absl::ConsumePrefix(&rest, "{") && absl::ConsumeSuffix(&rest, "}")) {
    if (!SplitOptions(rest, &given)) return NotAPolicy(text);
  } else if (absl::ConsumePrefix(&rest, absl::StrCat(kPolicyName, ":"))) {
    given.emplace_back("bits_per_key", rest);
  } else if (text != kPolicyName) {
    return NotAPolicy(text);
  }
  FilterOptions parsed;
  const absl::Status status = SetOptionsTogether(given, &parsed);
  if (status.ok()) *options = parsed;
  return status;
}

double EffectiveBitsPerKey(const FilterOptions& options, Kind kind) {
  if (options.fp_rate.has_value()) {
    return BitsPerKeyFor(*FindFilterKind(static_cast<uint8_t>(kind)),
                         *options.fp_rate, options.effort);
  }
  const double bits =
      InThousandths(options.bits_per_key.value_or(kDefaultBitsPerKey));
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

}  // namespace oneline
