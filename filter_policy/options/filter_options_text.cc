#include "filter_policy/options/filter_options_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "filter_policy/options/filter_option_bounds.h"
#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

absl::string_view Absl(std::string_view s) { return {s.data(), s.size()}; }

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

// Before one of the measures of size is set.
void UnsetSize(FilterOptions* options) {
  options->bits_per_key.reset();
  options->fp_rate.reset();
  options->level_bits_per_key.clear();
}

absl::Status SetBitsPerKey(std::string_view value, FilterOptions* options) {
  double bits;
  if (!absl::SimpleAtod(Absl(value), &bits) || !BitsPerKeyInBounds(bits)) {
    return WrongBitsPerKey(value);
  }
  UnsetSize(options);
  options->bits_per_key = InThousandths(bits);
  return absl::OkStatus();
}

absl::Status SetFpRate(std::string_view value, FilterOptions* options) {
  double rate;
  if (!absl::SimpleAtod(Absl(value), &rate) || !FpRateInBounds(rate)) {
    return WrongFpRate(value);
  }
  UnsetSize(options);
  options->fp_rate = InSixDigits(rate);
  return absl::OkStatus();
}

absl::Status SetLevelBits(std::string_view value, FilterOptions* options) {
  std::vector<double> level_bits;
  for (const absl::string_view text : absl::StrSplit(Absl(value), ':')) {
    double bits;
    if (!absl::SimpleAtod(text, &bits)) return WrongLevelBits(value);
    level_bits.push_back(bits);
  }
  if (!LevelBitsInBounds(level_bits)) return WrongLevelBits(value);
  for (double& bits : level_bits) bits = InThousandths(bits);
  UnsetSize(options);
  options->allocation = Allocation::kUniform;
  options->level_bits_per_key = std::move(level_bits);
  return absl::OkStatus();
}

absl::Status SetAllocation(std::string_view value, FilterOptions* options) {
  if (value != "uniform" && value != "monkey") return WrongAllocation(value);
  options->allocation =
      value == "monkey" ? Allocation::kMonkey : Allocation::kUniform;
  options->level_bits_per_key.clear();
  return absl::OkStatus();
}

absl::Status SetSizeRatio(std::string_view value, FilterOptions* options) {
  double ratio;
  if (value == "auto") {
    options->size_ratio.reset();
  } else if (absl::SimpleAtod(Absl(value), &ratio) &&
             SizeRatioInBounds(ratio)) {
    options->size_ratio = InThousandths(ratio);
  } else {
    return WrongSizeRatio(value);
  }
  return absl::OkStatus();
}

absl::Status SetLevels(std::string_view value, FilterOptions* options) {
  int levels;
  if (value == "auto") {
    options->levels.reset();
  } else if (absl::SimpleAtoi(Absl(value), &levels) && LevelsInBounds(levels)) {
    options->levels = levels;
  } else {
    return WrongLevels(value);
  }
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
    return WrongHashSeed(value);
  }
  return absl::OkStatus();
}

std::string LevelBitsText(const FilterOptions& options) {
  return absl::StrJoin(options.level_bits_per_key, ":",
                       [](std::string* out, double bits) {
                         absl::StrAppend(out, InThousandths(bits));
                       });
}

// Those that can exclude each other.
NamesAndValues Given(const FilterOptions& options) {
  NamesAndValues given;
  if (options.bits_per_key.has_value()) {
    given.emplace_back("bits_per_key", absl::StrCat(*options.bits_per_key));
  }
  if (options.fp_rate.has_value()) {
    given.emplace_back("fp_rate", absl::StrCat(*options.fp_rate));
  }
  if (!options.level_bits_per_key.empty()) {
    given.emplace_back("level_bits_per_key", LevelBitsText(options));
  }
  if (options.allocation != Allocation::kUniform) {
    given.emplace_back("allocation", "monkey");
  }
  return given;
}

}  // namespace

absl::Status Validate(const FilterOptions& options) {
  if (FindFilterKind(static_cast<uint8_t>(options.kind)) == nullptr) {
    return WrongKind(absl::StrCat(static_cast<int>(options.kind)));
  }
  if (options.bits_per_key.has_value() &&
      !BitsPerKeyInBounds(*options.bits_per_key)) {
    return WrongBitsPerKey(absl::StrCat(*options.bits_per_key));
  }
  if (options.fp_rate.has_value() && !FpRateInBounds(*options.fp_rate)) {
    return WrongFpRate(absl::StrCat(*options.fp_rate));
  }
  if (!LevelBitsInBounds(options.level_bits_per_key)) {
    return WrongLevelBits(LevelBitsText(options));
  }
  if (!AllocationInBounds(options.allocation)) {
    return WrongAllocation(absl::StrCat(static_cast<int>(options.allocation)));
  }
  if (options.size_ratio.has_value() &&
      !SizeRatioInBounds(*options.size_ratio)) {
    return WrongSizeRatio(absl::StrCat(*options.size_ratio));
  }
  if (options.levels.has_value() && !LevelsInBounds(*options.levels)) {
    return WrongLevels(absl::StrCat(*options.levels));
  }
  if (!EffortInBounds(options.effort)) {
    return WrongEffort(absl::StrCat(options.effort));
  }
  if (!BloomBeforeLevelInBounds(options.bloom_before_level)) {
    return WrongBloomBeforeLevel(absl::StrCat(options.bloom_before_level));
  }
  return CheckExclusive(Given(options));
}

absl::Status SetOption(std::string_view name, std::string_view value,
                       FilterOptions* options) {
  if (name == "kind") return SetKind(value, options);
  if (name == "bits_per_key") return SetBitsPerKey(value, options);
  if (name == "fp_rate") return SetFpRate(value, options);
  if (name == "level_bits_per_key") return SetLevelBits(value, options);
  if (name == "allocation") return SetAllocation(value, options);
  if (name == "size_ratio") return SetSizeRatio(value, options);
  if (name == "levels") return SetLevels(value, options);
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

std::string GetOption(std::string_view name, const FilterOptions& options) {
  if (name == "kind") {
    return FindFilterKind(static_cast<uint8_t>(options.kind))->name;
  }
  const bool by_hand = !options.level_bits_per_key.empty();
  if (name == "bits_per_key") {
    if (options.fp_rate.has_value() || by_hand) return "";
    // Six digits, which is what absl::StrCat prints, are enough for thousandths
    // up to 100.
    return absl::StrCat(
        InThousandths(options.bits_per_key.value_or(kDefaultBitsPerKey)));
  }
  if (name == "fp_rate") {
    return options.fp_rate.has_value() ? absl::StrCat(*options.fp_rate) : "";
  }
  if (name == "level_bits_per_key") return LevelBitsText(options);
  if (name == "allocation") {
    if (by_hand) return "";
    return options.allocation == Allocation::kMonkey ? "monkey" : "uniform";
  }
  if (name == "size_ratio") {
    return options.size_ratio.has_value()
               ? absl::StrCat(InThousandths(*options.size_ratio))
               : "auto";
  }
  if (name == "levels") {
    return options.levels.has_value() ? absl::StrCat(*options.levels) : "auto";
  }
  if (name == "effort") return absl::StrCat(options.effort);
  if (name == "bloom_before_level") {
    return absl::StrCat(options.bloom_before_level);
  }
  assert(name == "hash_seed");
  return options.hash_seed.has_value() ? absl::StrCat(*options.hash_seed)
                                       : "random";
}

double RoundedBitsPerKey(double bits_per_key) {
  const double bits = InThousandths(bits_per_key);
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

double EffectiveBitsPerKey(const FilterOptions& options, Kind kind) {
  if (!options.level_bits_per_key.empty()) {
    return RoundedBitsPerKey(options.level_bits_per_key.back());
  }
  if (options.fp_rate.has_value()) {
    return BitsPerKeyFor(*FindFilterKind(static_cast<uint8_t>(kind)),
                         *options.fp_rate, options.effort);
  }
  return RoundedBitsPerKey(options.bits_per_key.value_or(kDefaultBitsPerKey));
}

}  // namespace oneline
