// The contest of string hash functions: collisions of each among 100,000 random
// strings and 100,000 English sentences, as numbers of 31 bits and modulo two
// primes, and the marks for them; then what the contest leaves out, the
// false-positive rate of a Bloom filter with such hashes.

#ifndef ONELINE_MEMBERSHIP_HASHES_HASH_CONTEST_H_
#define ONELINE_MEMBERSHIP_HASHES_HASH_CONTEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "membership/hashes/string_hash.h"

namespace oneline {

inline constexpr size_t kContestStrings = 100000;
// Primes: a table ten times as large as the strings are many, and a hundred
// times.
inline constexpr uint32_t kSmallTable = 1000003;
inline constexpr uint32_t kLargeTable = 10000019;

// Strings that differ, 8 to 24 letters and digits each.
std::vector<std::string> RandomStrings(size_t n, uint64_t seed);

// Sentences that differ, 4 to 12 words each, as "Such words are these."
// REQUIRES: 100 words or more, none of them empty.
std::vector<std::string> Sentences(const std::vector<std::string>& words,
                                   size_t n, uint64_t seed);

// How many strings have the hash of an earlier one, modulo `modulus` unless
// that is 0.
uint64_t Collisions(uint32_t (*hash)(std::string_view),
                    const std::vector<std::string>& strings, uint32_t modulus);

// The collisions that a perfectly random function with `range` values is
// expected to have: n - range (1 - (1 - 1/range)^n).
double ExpectedCollisions(size_t n, double range);

// In the order of the contest: random strings, sentences, and random strings
// modulo kSmallTable and kLargeTable.
inline constexpr size_t kNumDisciplines = 4;
struct ContestRow {
  const char* name;
  std::array<uint64_t, kNumDisciplines> collisions;
};
ContestRow Compete(const StringHash& hash,
                   const std::vector<std::string>& random_strings,
                   const std::vector<std::string>& sentences);

// The table as it was published, of the classic eight.
extern const std::array<ContestRow, kNumClassicHashes> kPublishedContest;

// In each discipline the fewest collisions get 100, the most 0, the others in
// proportion; where all are equal, 100. Then the root of the mean of squares.
struct ContestMarks {
  std::array<double, kNumDisciplines> marks;
  double root_mean_square;
};
std::vector<ContestMarks> Marks(const std::vector<ContestRow>& rows);

// The share of `absent` that pass a Bloom filter of `num_bits` bits in which
// `members` are, if position i of a string is the hash of the byte i followed
// by the string, modulo num_bits: one hash function, fed with k first values,
// as those who have only one are advised to do.
double BloomFpRate(uint32_t (*hash)(std::string_view),
                   const std::vector<std::string>& members,
                   const std::vector<std::string>& absent, uint32_t num_bits,
                   int num_hashes);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_HASHES_HASH_CONTEST_H_
