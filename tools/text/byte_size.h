// Numbers of bytes as people write them: 512MiB, 1.5GB or 4096.

#ifndef ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
#define ONELINE_TOOLS_TEXT_BYTE_SIZE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// Every integer type has room for it.
inline constexpr double kMaxBytes = 0x1p60;

// Of a number with an optional unit: B; KiB, MiB, GiB, TiB, PiB or K, M, G, T,
// P (powers of 1024); kB, MB, GB, TB, PB (powers of 1000). Fractions of a byte
// are kept. None if the text is none.
std::optional<double> ParseByteSize(absl::string_view text);

// Three digits and a binary unit: "1.21 MiB".
std::string BytesText(double bytes);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
