// Hash functions of strings: eight that textbooks and forums pass on, and two
// modern ones to compare them with. None of the eight belongs into new code;
// contest.cc shows why.

#ifndef ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_
#define ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace oneline {

// Returns 31 bits. The eight clear the highest of 32 bits, as they are usually
// written; of the modern ones these are the lowest. Bytes are unsigned.
struct StringHash {
  const char *name;
  uint32_t (*hash)(std::string_view);
};

// BKDR, AP, DJB, JS, RS, SDBM, PJW, ELF; then XXH3 and MurmurHash3 (x86, 32
// bits).
extern const std::array<StringHash, 10> kStringHashes;

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_
