// The contest between string hash functions: the collisions of each among
// 100,000 random strings and 100,000 English sentences, as numbers of 31 bits
// and modulo two primes, and the marks given for them. Then what the contest
// leaves out: the false-positive rate of a Bloom filter with such hashes.

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
// Primes: hash tables with ten and a hundred times as many places as there are
// strings.
inline constexpr uint32_t kSmallTable = 1000003;
inline constexpr uint32_t kLargeTable = 10000019;

// `n` different strings of 8 to 24 letters and digits each.
std::vector<std::string> RandomStrings(size_t n, uint64_t seed);

// `n` different sentences of 4 to 12 words each, such as "Such words are
// these." REQUIRES: 100 words or more, none of them empty.
std::vector<std::string> Sentences(const std::vector<std::string>& words,
                                   size_t n, uint64_t seed);

// How many strings have the same hash as an earlier string. Hashes are taken
// modulo `modulus`, unless that is 0.
uint64_t Collisions(uint32_t (*hash)(std::string_view),
                    const std::vector<std::string>& strings, uint32_t modulus);

// The expected number of collisions of a perfectly random function with `range`
// values: n - range (1 - (1 - 1/range)^n).
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

// The table that was published for the classic eight.
extern const std::array<ContestRow, kNumClassicHashes> kPublishedContest;

// In each discipline the function with the fewest collisions gets 100, the one
// with the most 0, and the others a mark in proportion; if all have the same
// number, all get 100. The result is the root mean square of the four marks.
struct ContestMarks {
  std::array<double, kNumDisciplines> marks;
  double root_mean_square;
};
std::vector<ContestMarks> Marks(const std::vector<ContestRow>& rows);

// The share of `absent` that pass a Bloom filter of `num_bits` bits that holds
// `members`. Position i of a string is the hash of the byte i followed by the
// string, modulo num_bits: the usual advice for making k hash functions of one.
double BloomFpRate(uint32_t (*hash)(std::string_view),
                   const std::vector<std::string>& members,
                   const std::vector<std::string>& absent, uint32_t num_bits,
                   int num_hashes);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_HASHES_HASH_CONTEST_H_
