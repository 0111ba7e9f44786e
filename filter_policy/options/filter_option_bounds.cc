#include "filter_policy/options/filter_option_bounds.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

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

}  // namespace

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

absl::Status WrongHashSeed(std::string_view value) {
  return WrongValue("hash_seed", value,
                    "random or a whole number from 0 to 2^64 - 1");
}

}  // namespace oneline
