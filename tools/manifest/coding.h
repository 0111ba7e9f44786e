// The numbers and strings of RocksDB's files: fixed numbers have the lowest
// byte first; varints have seven bits a byte, the lowest first, and the top bit
// of all bytes but the last is set; a prefixed string follows its length.

#ifndef ONELINE_TOOLS_MANIFEST_CODING_H_
#define ONELINE_TOOLS_MANIFEST_CODING_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "table/hash/little_endian.h"

namespace oneline {

// Takes values from the front of bytes that nobody checked. Each function
// returns false, and takes nothing that can be used, where the bytes end too
// early or the value does not fit. The views borrow the bytes.
class ByteParser {
 public:
  explicit ByteParser(std::string_view bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::string_view rest() const { return bytes_; }

  bool TakeBytes(uint64_t n, std::string_view* bytes) {
    if (n > bytes_.size()) return false;
    *bytes = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return true;
  }

  template <typename Number>
  bool TakeFixed(Number* number) {
    std::string_view bytes;
    if (!TakeBytes(sizeof(Number), &bytes)) return false;
    *number =
        GetLittleEndian<Number>(reinterpret_cast<const uint8_t*>(bytes.data()));
    return true;
  }

  template <typename Number>
  bool TakeVarint(Number* number) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes_.front());
      const uint64_t bits = byte & 0x7fu;
      if (bits << shift >> shift != bits) return false;
      bytes_.remove_prefix(1);
      value |= bits << shift;
      if (byte >= 0x80) continue;
      *number = static_cast<Number>(value);
      return value <= std::numeric_limits<Number>::max();
    }
    return false;
  }

  bool TakePrefixed(std::string_view* bytes) {
    uint32_t n = 0;
    return TakeVarint(&n) && TakeBytes(n, bytes);
  }

 private:
  std::string_view bytes_;
};

template <typename Number>
void PutFixed(Number number, std::string* out) {
  uint8_t bytes[sizeof(Number)];
  PutLittleEndian(number, bytes);
  out->append(reinterpret_cast<const char*>(bytes), sizeof(bytes));
}

inline void PutVarint(uint64_t number, std::string* out) {
  for (; number >= 0x80; number >>= 7) {
    out->push_back(static_cast<char>(number | 0x80));
  }
  out->push_back(static_cast<char>(number));
}

inline std::string Varint(uint64_t number) {
  std::string bytes;
  PutVarint(number, &bytes);
  return bytes;
}

inline void PutPrefixed(std::string_view bytes, std::string* out) {
  PutVarint(bytes.size(), out);
  out->append(bytes);
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MANIFEST_CODING_H_
