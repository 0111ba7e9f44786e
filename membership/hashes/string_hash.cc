#include "membership/hashes/string_hash.h"

#include <murmurhash.h>

#include "table/hash/key_hash.h"

namespace oneline {
namespace {

constexpr uint32_t kLow31 = 0x7fffffff;

// hash = step(hash, byte) for each byte.
template <typename Step>
uint32_t Fold(std::string_view s, uint32_t hash, Step step) {
  for (char c : s) hash = step(hash, uint32_t{static_cast<uint8_t>(c)});
  return hash & kLow31;
}

template <uint32_t kFirst, uint32_t kFactor>
uint32_t MultiplyAndAdd(std::string_view s) {
  return Fold(s, kFirst,
              [](uint32_t hash, uint32_t c) { return hash * kFactor + c; });
}

// Two ways to mix a byte in, by turns.
uint32_t Ap(std::string_view s) {
  bool odd = true;
  return Fold(s, 0, [&](uint32_t hash, uint32_t c) {
    odd = !odd;
    return hash ^ (odd ? ~((hash << 11) ^ c ^ (hash >> 5))
                       : (hash << 7) ^ c ^ (hash >> 3));
  });
}

uint32_t Js(std::string_view s) {
  return Fold(s, 1315423911, [](uint32_t hash, uint32_t c) {
    return hash ^ ((hash << 5) + c + (hash >> 2));
  });
}

// A different factor for each byte.
uint32_t Rs(std::string_view s) {
  uint32_t next = 63689;
  return Fold(s, 0, [&](uint32_t hash, uint32_t c) {
    const uint32_t factor = next;
    next *= 378551;
    return hash * factor + c;
  });
}

// The upper four of 32 bits are folded back.
uint32_t Pjw(std::string_view s) {
  return Fold(s, 0, [](uint32_t hash, uint32_t c) {
    hash = (hash << 4) + c;
    const uint32_t upper = hash & 0xf0000000;
    return (hash ^ (upper >> 24)) & 0x0fffffff;
  });
}

// The same function, written differently.
uint32_t Elf(std::string_view s) {
  return Fold(s, 0, [](uint32_t hash, uint32_t c) {
    hash = (hash << 4) + c;
    const uint32_t upper = hash & 0xf0000000;
    return (upper == 0 ? hash : hash ^ (upper >> 24)) & ~upper;
  });
}

uint32_t Xxh3(std::string_view s) {
  return static_cast<uint32_t>(KeyHash(s, 0)) & kLow31;
}

uint32_t Murmur3(std::string_view s) {
  uint32_t hash = 0;
  lmmh_x86_32(s.data(), static_cast<unsigned int>(s.size()), 0, &hash);
  return hash & kLow31;
}

}  // namespace

const std::array<StringHash, 10> kStringHashes = {{
    {"BKDRHash", &MultiplyAndAdd<0, 131>},    // Kernighan, Ritchie, with 31
    {"APHash", &Ap},                          // Arash Partow
    {"DJBHash", &MultiplyAndAdd<5381, 33>},   // Daniel J. Bernstein
    {"JSHash", &Js},                          // Justin Sobel
    {"RSHash", &Rs},                          // Robert Sedgewick
    {"SDBMHash", &MultiplyAndAdd<0, 65599>},  // sdbm, a database library
    {"PJWHash", &Pjw},                        // Peter J. Weinberger
    {"ELFHash", &Elf},                        // the object format
    {"XXH3", &Xxh3},
    {"MurmurHash3", &Murmur3},
}};

}  // namespace oneline
