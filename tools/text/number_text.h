// Numbers as people read and write them.

#ifndef ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
#define ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// "7,315,688"
std::string WithCommas(uint64_t number);

// "1 table", "7,315 tables"
std::string Tables(uint64_t number);

// Rounded, with commas: "10,000,000".
std::string KeyCountText(double keys);

// A rate from 0 to 1, with three digits: "0.163 %", "100 %", "2.10e-05 %".
std::string PercentText(double rate);

// "0:07", "12:34", "1:02:34"
std::string DurationText(double seconds);

// Three digits and a binary unit: "1.21 MiB".
std::string BytesText(double bytes);

// 0.01, 1e13 or 10T: k, M, G, T and P, in either case, are powers of 1000. None
// if the text is no number.
std::optional<double> ParseNumber(absl::string_view text);

// Bytes, as 512MiB, 1.5GB or 4096: KiB to PiB and K to P are powers of 1024, kB
// to PB of 1000. Fractions of a byte are kept. None if the text is no size.
std::optional<double> ParseByteSize(absl::string_view text);

// Integer types have room for it.
inline constexpr double kMaxBytes = 0x1p60;

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_NUMBER_TEXT_H_
