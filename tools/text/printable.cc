#include "tools/text/printable.h"

#include <cstdint>

#include "absl/strings/str_format.h"

namespace oneline {
namespace {

// The bytes of the control character at the beginning of the text; 0 if there
// is none.
size_t ControlBytes(absl::string_view text) {
  const auto byte = [text](size_t i) {
    return static_cast<uint8_t>(i < text.size() ? text[i] : 'x');
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  return byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

}  // namespace

std::string Printable(absl::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const size_t n = ControlBytes(text);
    if (n == 0) printable.push_back(text.front());
    for (size_t i = 0; i < n; ++i) {
      absl::StrAppendFormat(&printable, "\\x%02x",
                            static_cast<uint8_t>(text[i]));
    }
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return printable;
}

}  // namespace oneline
