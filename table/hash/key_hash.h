// From a key to its 64-bit hash, and from a hash to a line of the filter.
//
//   key --KeyHash(seed)--> hash --LineIndex--> line 0 .. num_lines - 1
//                            \----LineMix----> what happens inside the line
//
// The only file that includes xxHash.

#ifndef ONELINE_TABLE_HASH_KEY_HASH_H_
#define ONELINE_TABLE_HASH_KEY_HASH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#ifdef ONELINE_IN_ROCKSDB
// A plugin in RocksDB's build: RocksDB's own copy, whatever xxhash.h other
// libraries have in the include path. It can't be inlined.
#include "util/xxhash.h"
#else
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

#include "table/hash/little_endian.h"

// XXH3 was another function before, for the empty key and from 241 bytes on.
static_assert(XXH_VERSION_NUMBER >= 800,
              "needs xxHash 0.8.0 or later: filters would deny keys");

namespace oneline {

// A filter is an array of lines, each as long as the cache line of the
// processors we know; a lookup reads bytes of one line only.
inline constexpr size_t kLineBytes = 64;
inline constexpr size_t kLineBits = 8 * kLineBytes;

// XXH3 of 9 to 16 bytes, as most keys have, without a call and a choice among
// lengths. The constants are words of XXH3's secret, xored in pairs.
constexpr bool IsShortKey(size_t num_bytes) { return num_bytes - 9 < 8; }
inline uint64_t ShortKeyHash(const char* key, size_t num_bytes, uint64_t seed) {
  const uint64_t low =
      GetLittleEndian<uint64_t>(reinterpret_cast<const uint8_t*>(key));
  const uint64_t high = GetLittleEndian<uint64_t>(
      reinterpret_cast<const uint8_t*>(key + num_bytes - 8));
  const uint64_t x = low ^ (0x6782737bea4239b9u + seed);
  const uint64_t y = high ^ (0xaf56bc3b0996523au - seed);
  const auto product = static_cast<unsigned __int128>(x) * y;
  uint64_t hash =
      num_bytes + __builtin_bswap64(x) + y +
      (static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64));
  hash = (hash ^ hash >> 37) * 0x165667919e3779f9u;
  return hash ^ hash >> 32;
}

// XXH3, 64 bits. Two keys collide with probability 2^-64 for a seed that is
// not known when the keys are chosen. Not a cryptographic hash.
inline uint64_t KeyHash(std::string_view key, uint64_t seed) {
  if (IsShortKey(key.size())) return ShortKeyHash(key.data(), key.size(), seed);
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

// XXH3, 128 bits: two numbers that tell nothing of each other.
struct Hash128 {
  uint64_t low;
  uint64_t high;
};
inline Hash128 KeyHash128(std::string_view key, uint64_t seed) {
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(key.data(), key.size(), seed);
  return {hash.low64, hash.high64};
}

// Whether `hash` is KeyHash as docs/internals/format.md specifies it, by some
// of its values. Otherwise a build must neither write filters nor read them.
bool IsTheKeyHash(uint64_t (*hash)(std::string_view key, uint64_t seed));

inline constexpr char kWrongHash[] =
    "oneline: its xxHash is another function than the filters' format says: "
    "build oneline with xxHash 0.8.0 or later";

// From a hash to a number below n: floor(hash / 2^64 * n) (Lemire, "Fast Random
// Integer Generation in an Interval", 2019).
inline uint64_t FastRange(uint64_t hash, uint64_t n) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * n) >>
                               64);
}

// The line that `hash` belongs to. It is decided by the hash's high bits, so
// all keys of a line share them.
inline uint32_t LineIndex(uint64_t hash, uint32_t num_lines) {
  return static_cast<uint32_t>(FastRange(hash, num_lines));
}

// A bijection whose upper half depends on all bits of the hash, for decisions
// inside a line. The multiplier is 2^64 divided by the golden ratio, made odd
// (Knuth, The Art of Computer Programming, vol. 3, 6.4).
inline uint64_t LineMix(uint64_t hash) { return hash * 0x9e3779b97f4a7c15u; }

}  // namespace oneline

#endif  // ONELINE_TABLE_HASH_KEY_HASH_H_
