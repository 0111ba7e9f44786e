// Three ways to compute the k positions of a key among the m bits of a filter:
//
//   kDouble      double hashing, h_i = h1 + i * h2 mod m, with h1 and h2 from
//                one 128-bit hash (Kirsch, Mitzenmacher, "Less Hashing, Same
//                Performance", 2006). When the sequence comes back to its first
//                position it goes on one bit further, so the k positions differ
//                for every h2, even for 0.
//   kPolynomial  h_i = the bytes of the key as digits to the base 5, 7, 11, 13,
//                31, 37 or 61, modulo 2^32, and of that the lowest bits. It has
//                many more false positives (membership/examples/hashers.cc).
//   kMd5         the MD5 of the key and a dot as one number, divided by m
//                repeatedly; the remainders are the positions. When less than m
//                is left, the next number is the MD5 with one more dot.

#ifndef ONELINE_MEMBERSHIP_FILTERS_KEY_HASHERS_H_
#define ONELINE_MEMBERSHIP_FILTERS_KEY_HASHERS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// Saved filters have these numbers.
enum class Hasher : uint8_t { kDouble = 1, kPolynomial = 2, kMd5 = 3 };
const char* HasherName(Hasher hasher);

inline constexpr int kMaxHashes = 64;
inline constexpr int kMaxPolynomialHashes = 7;
// 32 TB of bits. The sum of two positions never overflows.
inline constexpr uint64_t kMaxPositions = uint64_t{1} << 48;

// Everything that decides at which positions a key is.
struct FilterShape {
  // Bits, or counters: 1 to kMaxPositions. kPolynomial: a power of two up to
  // 2^32.
  uint64_t num_positions = 0;
  // Per key: 1 to kMaxHashes. kPolynomial: at most kMaxPolynomialHashes.
  int num_hashes = 0;
  Hasher hasher = Hasher::kDouble;
  // For kDouble; 0 for the others, which take none. Without knowing it nobody
  // can construct keys that fill a filter or that are all false positives.
  uint64_t seed = 0;
  // What the owner of the filter does to keys before adding them, as a number;
  // 0 for nothing. It is saved with the filter, and has no effect on it.
  uint8_t key_form = 0;
};
bool operator==(const FilterShape& a, const FilterShape& b);

// InvalidArgument, naming the bounds, if the shape is out of its bounds.
// Unimplemented if the shape needs MD5 and OpenSSL does not offer it.
absl::Status CheckShape(const FilterShape& shape);

// The shape with double hashing for n = `num_keys` keys (1 or more) at the
// false-positive rate p = `fp_rate` (2^-64 to less than 1): m = -n ln p /
// (ln 2)^2, and the better of the two whole k next to (m/n) ln 2, with which
// the rate is up to a hundredth higher, or a twentieth if p is above 1 %.
// InvalidArgument outside of the bounds. Saved filters of `oneline sieve` are
// found again by it: its results must not change.
absl::StatusOr<FilterShape> ShapeForKeys(uint64_t num_keys, double fp_rate,
                                         uint64_t seed);

// Writes num_hashes positions, each less than num_positions. Those of kDouble
// are all different if num_hashes <= num_positions. Thread-safe.
// REQUIRES: CheckShape(shape).ok().
void KeyPositions(const FilterShape& shape, std::string_view key,
                  uint64_t* positions);

// The step of kMd5: replaces x = r * m + y by r and returns y.
// REQUIRES: m > 0.
inline uint64_t TakeRemainder(unsigned __int128& x, uint64_t m) {
  const auto remainder = static_cast<uint64_t>(x % m);
  x /= m;
  return remainder;
}

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_KEY_HASHERS_H_
