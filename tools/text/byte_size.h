// Numbers of bytes as people write them: 512MiB, 1.5GB or 4096.

#ifndef ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
#define ONELINE_TOOLS_TEXT_BYTE_SIZE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// The type of a flag. Its text is a number with an optional unit, of 0 to 2^60
// bytes: B; KiB, MiB, GiB, TiB, PiB or K, M, G, T, P (powers of 1024); kB, MB,
// GB, TB, PB (powers of 1000). Fractions of a byte are kept.
struct ByteSize {
  double bytes = 0;
};

bool AbslParseFlag(absl::string_view text, ByteSize* size, std::string* error);
std::string AbslUnparseFlag(const ByteSize& size);

// Three digits and a binary unit: "1.21 MiB".
std::string BytesText(double bytes);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_BYTE_SIZE_H_
