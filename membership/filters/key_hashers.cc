#include "membership/filters/key_hashers.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "membership/filters/classic_model.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

void DoubleHashing(const FilterShape& shape, std::string_view key,
                   uint64_t* positions) {
  const uint64_t m = shape.num_positions;
  const Hash128 hash = KeyHash128(key, shape.seed);
  uint64_t first = FastRange(hash.high, m);
  const uint64_t step = FastRange(hash.low, m);
  uint64_t position = first;
  for (int i = 0; i < shape.num_hashes; ++i) {
    positions[i] = position;
    position += step;
    if (position >= m) position -= m;
    // The positions so far are a coset of the multiples of gcd(step, m). Go on
    // with the next coset.
    if (position == first) {
      if (++first == m) first = 0;
      position = first;
    }
  }
}

void PolynomialHashing(const FilterShape& shape, std::string_view key,
                       uint64_t* positions) {
  constexpr std::array<uint32_t, kMaxPolynomialHashes> kBases = {5,  7,  11, 13,
                                                                 31, 37, 61};
  for (int i = 0; i < shape.num_hashes; ++i) {
    uint32_t hash = 0;
    for (char c : key) hash = kBases[i] * hash + static_cast<uint8_t>(c);
    positions[i] = hash & (shape.num_positions - 1);
  }
}

// Null if this machine's OpenSSL does not offer it. Kept, because to find it
// takes longer than a digest.
const EVP_MD* TheMd5() {
  static const EVP_MD* const md5 = EVP_MD_fetch(nullptr, "MD5", nullptr);
  return md5;
}

// As a big-endian number.
unsigned __int128 Md5(const std::string& text) {
  std::array<uint8_t, 16> digest = {};
  [[maybe_unused]] const bool done =
      EVP_Digest(text.data(), text.size(), digest.data(), nullptr, TheMd5(),
                 nullptr) == 1;
  assert(done);
  unsigned __int128 number = 0;
  for (uint8_t byte : digest) number = number << 8 | byte;
  return number;
}

void Md5Hashing(const FilterShape& shape, std::string_view key,
                uint64_t* positions) {
  std::string text(key);
  unsigned __int128 x = 0;
  for (int i = 0; i < shape.num_hashes; ++i) {
    if (x < shape.num_positions) x = Md5(text += '.');
    positions[i] = TakeRemainder(x, shape.num_positions);
  }
}

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

}  // namespace

const char* HasherName(Hasher hasher) {
  constexpr const char* kNames[] = {nullptr, "double", "polynomial", "md5"};
  const auto number = static_cast<size_t>(hasher);
  return number < std::size(kNames) ? kNames[number] : nullptr;
}

bool operator==(const FilterShape& a, const FilterShape& b) {
  return a.num_positions == b.num_positions && a.num_hashes == b.num_hashes &&
         a.hasher == b.hasher && a.seed == b.seed && a.key_form == b.key_form;
}

absl::Status CheckShape(const FilterShape& shape) {
  const uint64_t m = shape.num_positions;
  const int k = shape.num_hashes;
  if (m == 0 || m > kMaxPositions) {
    return Invalid("a filter must have 1 to 2^48 bits or counters, not ", m);
  }
  if (k < 1 || k > kMaxHashes) {
    return Invalid("the number of hashes must be 1 to ", kMaxHashes, ", not ",
                   k);
  }
  const char* const name = HasherName(shape.hasher);
  if (name == nullptr) {
    return Invalid("there is no hasher ", static_cast<int>(shape.hasher));
  }
  if (shape.hasher == Hasher::kDouble) return absl::OkStatus();
  if (shape.seed != 0) return Invalid("hasher ", name, " takes no seed");
  if (shape.hasher == Hasher::kMd5) {
    if (TheMd5() != nullptr) return absl::OkStatus();
    return absl::UnimplementedError(
        "this machine's OpenSSL does not offer MD5");
  }
  if ((m & (m - 1)) != 0 || m > uint64_t{1} << 32) {
    return Invalid(
        "with polynomial hashes the size of a filter must be a power of two up "
        "to 2^32, not ",
        m, " bits");
  }
  if (k <= kMaxPolynomialHashes) return absl::OkStatus();
  return Invalid("there are only ", kMaxPolynomialHashes,
                 " polynomial hashes, not ", k);
}

absl::StatusOr<FilterShape> ShapeForKeys(uint64_t num_keys, double fp_rate,
                                         uint64_t seed) {
  if (num_keys == 0) {
    return Invalid("a filter needs room for at least 1 key, not 0");
  }
  if (!(fp_rate >= 0x1p-64 && fp_rate < 1)) {
    return Invalid(
        "a false-positive rate is at least 2^-64 and less than 1, not ",
        fp_rate);
  }
  const auto keys = static_cast<double>(num_keys);
  const double bits = std::ceil(keys * ClassicBloomBitsPerKey(fp_rate));
  if (bits > static_cast<double>(kMaxPositions)) {
    return Invalid(num_keys, " keys at a rate of ", fp_rate,
                   " need more than 2^48 bits");
  }
  FilterShape shape;
  shape.num_positions = static_cast<uint64_t>(bits);
  shape.num_hashes = std::min(kMaxHashes, ClassicBloomProbes(bits / keys));
  shape.seed = seed;
  return shape;
}

void KeyPositions(const FilterShape& shape, std::string_view key,
                  uint64_t* positions) {
  switch (shape.hasher) {
    case Hasher::kDouble:
      return DoubleHashing(shape, key, positions);
    case Hasher::kPolynomial:
      return PolynomialHashing(shape, key, positions);
    case Hasher::kMd5:
      return Md5Hashing(shape, key, positions);
  }
}

}  // namespace oneline
