// The keys of benchmarks: 16 pseudorandom bytes computed from a number, and a
// fast generator of numbers to choose keys.

#ifndef ONELINE_BENCH_MEASURE_RANDOM_KEY_H_
#define ONELINE_BENCH_MEASURE_RANDOM_KEY_H_

#include <cstdint>
#include <cstring>

namespace oneline {

// Key i of a sequence (SplitMix64: Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014). Keys in filters have even i, absent
// keys odd i.
struct Key {
  explicit Key(uint64_t i) {
    for (uint64_t half = 0; half < 2; ++half) {
      uint64_t z = (2 * i + half + 1) * 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      z ^= z >> 31;
      std::memcpy(bytes + 8 * half, &z, sizeof(z));
    }
  }

  // As a slice of RocksDB or LevelDB.
  template <typename Slice>
  operator Slice() const {
    return Slice(bytes, sizeof(bytes));
  }

  char bytes[16];
};

// xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
class Random {
 public:
  // Another sequence for each number.
  explicit Random(uint64_t sequence = 0)
      : state_(88172645463325252u + sequence * 0x9e3779b97f4a7c15u) {}

  uint64_t Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }

 private:
  uint64_t state_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_RANDOM_KEY_H_
