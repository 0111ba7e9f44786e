// Numbers as bytes, the lowest first, on every machine.

#ifndef ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_
#define ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_

#include <cstdint>
#include <cstring>

namespace oneline {

// The number whose bytes, in this machine's order, are those of `value` with
// the lowest first; and back.
template <typename Number>
Number LittleEndian(Number value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  static_assert(sizeof(value) == 2 || sizeof(value) == 4 || sizeof(value) == 8);
  return static_cast<Number>(__builtin_bswap64(uint64_t{value}) >>
                             (64 - 8 * sizeof(value)));
#else
  return value;
#endif
}

template <typename Number>
void PutLittleEndian(Number value, uint8_t* out) {
  value = LittleEndian(value);
  std::memcpy(out, &value, sizeof(value));
}

template <typename Number>
Number GetLittleEndian(const uint8_t* in) {
  Number value;
  std::memcpy(&value, in, sizeof(value));
  return LittleEndian(value);
}

}  // namespace oneline

#endif  // ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_
