// Sets of keys that need no memory: the key with a given number is made anew
// each time it is asked for.

#ifndef ONELINE_TESTS_RANDOM_KEYS_H_
#define ONELINE_TESTS_RANDOM_KEYS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oneline {

// A bijection that leaves no pattern (Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014; the finaliser of SplitMix64).
inline uint64_t Scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// What the keys of a set look like. Keys with different numbers differ.
enum class KeySet {
  kRandom,        // 8 random bytes
  kLittleEndian,  // 0, 1, 2, ... in 8 bytes, the lowest first
  kBigEndian,     // the same, the highest first, as databases like to store it
};

class IntegerKey {
 public:
  // `seed` chooses among the random sets; the others are always the same.
  IntegerKey(KeySet set, uint64_t seed, uint64_t i) {
    const uint64_t bits =
        set == KeySet::kRandom ? Scramble(i ^ Scramble(seed)) : i;
    const bool high_first = set == KeySet::kBigEndian;
    for (size_t byte = 0; byte < bytes_.size(); ++byte) {
      const size_t shift = 8 * (high_first ? 7 - byte : byte);
      bytes_[byte] = static_cast<char>(bits >> shift & 0xff);
    }
  }

  operator std::string_view() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, 8> bytes_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_RANDOM_KEYS_H_
