// Numbers of bytes as people write them: 512MiB, 1.5GB, 4096.

#ifndef ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
#define ONELINE_TOOLS_TEXT_BYTE_SIZE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// As a flag: a number, at least 0, and a unit: none or B, KiB, MiB, GiB, TiB,
// PiB (powers of 1024, also written K, M, G, T, P) or kB, MB, GB, TB, PB
// (powers of 1000). A double, so that petabytes of filters can be planned.
struct ByteSize {
  double bytes = 0;
};

bool AbslParseFlag(absl::string_view text, ByteSize* size, std::string* error);
std::string AbslUnparseFlag(const ByteSize& size);

// For people to read, three digits and a binary unit: "1.21 MiB".
std::string BytesText(double bytes);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
