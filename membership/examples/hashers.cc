// The false-positive rates of the three hashers: double hashing, seven
// polynomials in 2^25 bits, and MD5.

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"
#include "membership/filters/key_hashers.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

constexpr uint64_t kBits = uint64_t{1} << 25;
constexpr int kHashes = 7;
constexpr uint64_t kKeys = 1000000;
constexpr uint64_t kAbsentKeys = 4000000;

// A random key of six letters and digits. A hash of the key itself decides
// whether it is one of those that are added, so that no absent key is added.
std::string RandomKey(bool added, std::mt19937_64& random) {
  constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string key(6, ' ');
  do {
    uint64_t number = random();
    for (char& c : key) {
      c = kAlphabet[number % 36];
      number /= 36;
    }
  } while ((KeyHash(key, /*seed=*/1) % 2 == 0) != added);
  return key;
}

void Measure(Hasher hasher) {
  FilterShape shape;
  shape.num_positions = kBits;
  shape.num_hashes = kHashes;
  shape.hasher = hasher;
  BloomFilter filter = *BloomFilter::ForShape(shape);
  std::mt19937_64 random(1);
  for (uint64_t i = 0; i < kKeys; ++i) filter.Add(RandomKey(true, random));
  uint64_t passed = 0;
  for (uint64_t i = 0; i < kAbsentKeys; ++i) {
    passed += filter.MayContain(RandomKey(false, random));
  }
  const double rate = static_cast<double>(passed) / kAbsentKeys;
  const double theory =
      ClassicBloomFpRate(static_cast<double>(kBits) / kKeys, kHashes);
  std::printf("%-12s%8.2f %%%13.5f %%%13.5f %%%10.1f\n", HasherName(hasher),
              100 * filter.FillRatio(), 100 * rate, 100 * theory,
              rate / theory);
}

}  // namespace
}  // namespace oneline

int main() {
  std::printf("%-12s%10s%15s%15s%10s\n", "hasher", "bits set", "measured",
              "in theory", "ratio");
  for (oneline::Hasher hasher :
       {oneline::Hasher::kDouble, oneline::Hasher::kPolynomial,
        oneline::Hasher::kMd5}) {
    oneline::Measure(hasher);
  }
}
