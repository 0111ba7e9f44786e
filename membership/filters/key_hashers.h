// Where the bits of a key are: the choice between three ways to get k positions
// out of a key.
//
//   kDouble      h_i = h1 + i * h2 mod m, both from one 128-bit hash (Kirsch,
//                Mitzenmacher, "Less Hashing, Same Performance", 2006). A walk
//                that comes back to where it began goes on one bit further: so
//                k positions are k different ones whatever h2 is, also 0.
//   kPolynomial  h_i = the key's bytes as digits to the base 5, 7, 11, 13, 31,
//                37 or 61, modulo 2^32, of which the lowest bits. Shown for
//                comparison: see docs/membership.md for what it costs.
//   kMd5         the key's MD5 as one number, divided by m again and again; the
//                remainders are the positions. When less than m is left, the
//                number comes from the MD5 of the key with one more dot.

#ifndef ONELINE_MEMBERSHIP_HASHES_KEY_HASHERS_H_
#define ONELINE_MEMBERSHIP_HASHES_KEY_HASHERS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace oneline {

// The numbers stand in saved filters.
enum class Hasher : uint8_t { kDouble = 1, kPolynomial = 2, kMd5 = 3 };
const char* HasherName(Hasher hasher);

inline constexpr int kMaxHashes = 64;
inline constexpr int kMaxPolynomialHashes = 7;
// Enough for 32 TB; sums of two positions never overflow.
inline constexpr uint64_t kMaxPositions = uint64_t{1} << 48;

// All that decides where a key's bits are. Filters of equal shape can be
// united.
struct FilterShape {
  // Bits, or counters: 1 to kMaxPositions. kPolynomial: a power of two up to
  // 2^32.
  uint64_t num_positions = 0;
  // For each key: 1 to kMaxHashes. kPolynomial: up to kMaxPolynomialHashes.
  int num_hashes = 0;
  Hasher hasher = Hasher::kDouble;
  // kDouble only, the others have none and want 0. Who doesn't know it can't
  // prepare keys that fill a filter or that all match.
  uint64_t seed = 0;
  // What whoever owns the filter does to keys before he adds them: a number of
  // his own, 0 for nothing. It is kept, and not looked at.
  uint8_t key_form = 0;
};
bool operator==(const FilterShape& a, const FilterShape& b);

// InvalidArgument, with the bounds, for a shape that is out of them.
absl::Status CheckShape(const FilterShape& shape);

// The shape, with double hashing, for `num_keys` keys (1 or more) at the
// false-positive rate `fp_rate` (0 < fp_rate < 1, down to 2^-64): m = -n ln p /
// (ln 2)^2 and the better of the two whole k beside (m/n) ln 2. A whole k costs
// up to 1 % of the rate, above 1 % up to 5 %. InvalidArgument out of the
// bounds.
absl::StatusOr<FilterShape> ShapeForKeys(uint64_t num_keys, double fp_rate,
                                         uint64_t seed);

// Writes num_hashes positions, each less than num_positions. Those of kDouble
// are different from each other if there are as many. Thread-safe.
// REQUIRES: CheckShape(shape).ok().
void KeyPositions(const FilterShape& shape, std::string_view key,
                  uint64_t* positions);

// The step of kMd5: x = r * m + y becomes r and gives y. REQUIRES: m > 0.
inline uint64_t TakeRemainder(unsigned __int128& x, uint64_t m) {
  const auto remainder = static_cast<uint64_t>(x % m);
  x /= m;
  return remainder;
}

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_HASHES_KEY_HASHERS_H_
