// Hash functions of strings: eight that textbooks and forums pass on, and three
// modern ones to compare them with. None of the eight belongs into new code;
// contest.cc shows why.
//
// All return 31 bits. The eight clear the highest of 32 bits, as they are
// usually written; of the modern ones these are the lowest 31 bits. Bytes are
// unsigned, whether or not `char` is on the machine. Thread-safe.

#ifndef ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_
#define ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oneline {

// hash * 131 + c (Kernighan, Ritchie, "The C Programming Language", with 31).
uint32_t BkdrHash(std::string_view s);
// Two ways to mix a byte in, by turns (Arash Partow).
uint32_t ApHash(std::string_view s);
// hash * 33 + c, from 5381 (Daniel J. Bernstein).
uint32_t DjbHash(std::string_view s);
// hash ^ (32 * hash + c + hash / 4) (Justin Sobel).
uint32_t JsHash(std::string_view s);
// hash * a + c, with a different a for each byte (Robert Sedgewick).
uint32_t RsHash(std::string_view s);
// hash * 65599 + c (sdbm, a database library).
uint32_t SdbmHash(std::string_view s);
// hash * 16 + c, with the upper four of 32 bits folded back (Peter J.
// Weinberger).
uint32_t PjwHash(std::string_view s);
// The same function, written differently (the ELF object format).
uint32_t ElfHash(std::string_view s);

struct StringHash {
  const char* name;
  uint32_t (*hash)(std::string_view);
};

// The eight in the order above, then XXH3, MurmurHash3 (x86, 32 bits) and
// absl::Hash, which is a different function in each process.
inline constexpr size_t kNumClassicHashes = 8;
extern const std::array<StringHash, 11> kStringHashes;

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_HASHES_STRING_HASH_H_
