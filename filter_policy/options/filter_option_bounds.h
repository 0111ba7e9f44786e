// The bounds of each option, and the error for a value that is not within them:
// InvalidArgument with the option, the value as it was given, and what would be
// right.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTION_BOUNDS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTION_BOUNDS_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "oneline/filter_options.h"

namespace oneline {

bool BitsPerKeyInBounds(double bits);
absl::Status WrongBitsPerKey(std::string_view value);

bool FpRateInBounds(double rate);
absl::Status WrongFpRate(std::string_view value);

bool LevelBitsInBounds(const std::vector<double>& bits);
absl::Status WrongLevelBits(std::string_view value);

bool AllocationInBounds(Allocation allocation);
absl::Status WrongAllocation(std::string_view value);

bool SizeRatioInBounds(double ratio);
absl::Status WrongSizeRatio(std::string_view value);

bool LevelsInBounds(int levels);
absl::Status WrongLevels(std::string_view value);

bool EffortInBounds(int effort);
absl::Status WrongEffort(std::string_view value);

bool BloomBeforeLevelInBounds(int level);
absl::Status WrongBloomBeforeLevel(std::string_view value);

absl::Status WrongKind(std::string_view value);

absl::Status WrongHashSeed(std::string_view value);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_FILTER_OPTION_BOUNDS_H_
