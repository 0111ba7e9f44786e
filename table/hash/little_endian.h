// Numbers as bytes, the lowest first, on every machine.

#ifndef ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_
#define ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_

#include <cstddef>
#include <cstdint>

namespace oneline {

template <typename Number>
void PutLittleEndian(Number value, uint8_t* out) {
  for (size_t i = 0; i < sizeof(Number); ++i) {
    out[i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

template <typename Number>
Number GetLittleEndian(const uint8_t* in) {
  Number value = 0;
  for (size_t i = 0; i < sizeof(Number); ++i) {
    value |= static_cast<Number>(Number{in[i]} << (8 * i));
  }
  return value;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_HASH_LITTLE_ENDIAN_H_
