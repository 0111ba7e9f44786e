#include "filter_policy/filter_options_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
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
constexpr int kMostLevels = 1000;

// RocksDB's default is 10, in 6 levels. With these the numbers of keys are
// still numbers.
constexpr double kMostSizeRatio = 100;
constexpr int kMostLevelsInUse = 100;

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

bool LevelBitsInBounds(const std::vector<double>& bits) {
  return bits.size() <= kMostLevels &&
         std::all_of(bits.begin(), bits.end(), BitsPerKeyInBounds);
}

absl::Status WrongLevelBits(std::string_view value) {
  return WrongValue("level_bits_per_key", value,
                    "1 to 1000 numbers with colons between them, as 16:14:10, "
                    "each from 1 to 100, or 0 for no filter");
}

bool AllocationInBounds(Allocation allocation) {
  return allocation == Allocation::kUniform ||
         allocation == Allocation::kMonkey;
}

absl::Status WrongAllocation(std::string_view value) {
  return WrongValue("allocation", value, "uniform or monkey");
}

bool SizeRatioInBounds(double ratio) {
  return ratio >= 1 && ratio <= kMostSizeRatio;  // false for NaN
}

absl::Status WrongSizeRatio(std::string_view value) {
  return WrongValue("size_ratio", value, "auto or a number from 1 to 100");
}

bool LevelsInBounds(int levels) {
  return levels >= 1 && levels <= kMostLevelsInUse;
}

absl::Status WrongLevels(std::string_view value) {
  return WrongValue("levels", value, "auto or a whole number from 1 to 100");
}

bool EffortInBounds(int effort) {
  return effort == 1 || effort == 2 || effort == 4 || effort == 8;
}

absl::Status WrongEffort(std::string_view value) {
  return WrongValue("effort", value, "1, 2, 4 or 8");
}

bool BloomBeforeLevelInBounds(int level) {
  return level >= -1 && level <= kMostLevels;
}

absl::Status WrongBloomBeforeLevel(std::string_view value) {
  return WrongValue("bloom_before_level", value,
                    "a whole number from -1 to 1000");
}

absl::Status WrongKind(std::string_view value) {
  return WrongValue("kind", value, "ribbon or bloom");
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
    return WrongValue("hash_seed", value,
                      "random or a whole number from 0 to 2^64 - 1");
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
  assert(options.level_bits_per_key.empty());
  if (options.fp_rate.has_value()) {
    return BitsPerKeyFor(*FindFilterKind(static_cast<uint8_t>(kind)),
                         *options.fp_rate, options.effort);
  }
  return RoundedBitsPerKey(options.bits_per_key.value_or(kDefaultBitsPerKey));
}

}  // namespace oneline
