// What the fuzz targets share: values cut from the bytes that a fuzzer makes
// up, and a check that ends the program, which is how a fuzzer learns of a
// fault. CONTRIBUTING.md says how to run the targets.

#ifndef ONELINE_TESTS_FUZZ_FUZZ_INPUT_H_
#define ONELINE_TESTS_FUZZ_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "table/block/filter_block.h"
#include "table/hash/little_endian.h"

// The entry points that libFuzzer calls and offers. A target defines the first,
// and the second if it knows better than libFuzzer how its input is changed.
extern "C" {
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
}

namespace oneline {

// Ends the program unless `holds`.
inline void Require(bool holds, const char* what,
                    std::string_view detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s: %s\n", what,
               std::string(detail).c_str());
  std::abort();
}

// Takes values off the front of an input. Past its end all bytes are 0.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }

  template <typename Number>
  Number Take() {
    uint8_t bytes[sizeof(Number)] = {};
    const std::string_view taken = TakeBytes(sizeof(Number));
    std::copy(taken.begin(), taken.end(), bytes);
    return GetLittleEndian<Number>(bytes);
  }

  uint8_t TakeByte() { return Take<uint8_t>(); }

  // A number below n, which is at most 256.
  size_t TakeBelow(size_t n) { return TakeByte() % n; }

  // So many bytes, or as many as there are.
  std::string_view TakeBytes(size_t n) {
    const std::string_view bytes = rest_.substr(0, n);
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

 private:
  std::string_view rest_;
};

// Keys made of an input: none, short ones, long ones, and the whole of it.
inline std::vector<std::string_view> KeysFrom(std::string_view input) {
  std::vector<std::string_view> keys = {"", "a", "oneline", input};
  for (size_t at = 0; at < input.size() && keys.size() < 40; at += 1 + at / 4) {
    keys.push_back(input.substr(at, at % 24));
  }
  return keys;
}

// The fields of a trailer whose checksum need not be right, for EncodeTrailer
// to make it right.
inline Trailer UncheckedTrailer(const uint8_t* bytes) {
  Trailer trailer;
  trailer.seed = GetLittleEndian<uint64_t>(bytes);
  trailer.num_lines = GetLittleEndian<uint32_t>(bytes + 8);
  trailer.num_keys = GetLittleEndian<uint32_t>(bytes + 12);
  trailer.kind = bytes[16];
  trailer.version = bytes[17];
  trailer.parameter = bytes[18];
  trailer.level = bytes[19];
  return trailer;
}

// For a target's LLVMFuzzerCustomMutator: libFuzzer's own change, and then
// mostly `mend(random, &bytes)`, which makes checksums right.
template <typename Mend>
size_t MutateAndMend(uint8_t* data, size_t size, size_t max_size,
                     unsigned int seed, const Mend& mend) {
  std::mt19937 random(seed);
  size = LLVMFuzzerMutate(data, size, max_size);
  if (random() % 8 == 0) return size;
  std::vector<uint8_t> bytes(data, data + size);
  mend(random, &bytes);
  if (bytes.size() > max_size) return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FUZZ_FUZZ_INPUT_H_
