#include "membership/hashes/string_hash.h"

#include <murmurhash.h>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

constexpr uint32_t kLow31 = 0x7fffffff;

// Calls `step(byte)` for each byte.
template <typename Step>
void ForEachByte(std::string_view s, Step step) {
  for (char c : s) step(uint32_t{static_cast<uint8_t>(c)});
}

uint32_t Xxh3(std::string_view s) {
  return static_cast<uint32_t>(KeyHash(s, 0)) & kLow31;
}

uint32_t Murmur3(std::string_view s) {
  uint32_t hash = 0;
  lmmh_x86_32(s.data(), static_cast<unsigned int>(s.size()), 0, &hash);
  return hash & kLow31;
}

uint32_t AbslHash(std::string_view s) {
  const absl::string_view view(s.data(), s.size());
  return static_cast<uint32_t>(absl::Hash<absl::string_view>()(view)) & kLow31;
}

}  // namespace

uint32_t BkdrHash(std::string_view s) {
  uint32_t hash = 0;
  ForEachByte(s, [&](uint32_t c) { hash = hash * 131 + c; });
  return hash & kLow31;
}

uint32_t ApHash(std::string_view s) {
  uint32_t hash = 0;
  bool odd = false;
  ForEachByte(s, [&](uint32_t c) {
    hash ^=
        odd ? ~((hash << 11) ^ c ^ (hash >> 5)) : (hash << 7) ^ c ^ (hash >> 3);
    odd = !odd;
  });
  return hash & kLow31;
}

uint32_t DjbHash(std::string_view s) {
  uint32_t hash = 5381;
  ForEachByte(s, [&](uint32_t c) { hash = hash * 33 + c; });
  return hash & kLow31;
}

uint32_t JsHash(std::string_view s) {
  uint32_t hash = 1315423911;
  ForEachByte(s, [&](uint32_t c) { hash ^= (hash << 5) + c + (hash >> 2); });
  return hash & kLow31;
}

uint32_t RsHash(std::string_view s) {
  uint32_t hash = 0, factor = 63689;
  ForEachByte(s, [&](uint32_t c) {
    hash = hash * factor + c;
    factor *= 378551;
  });
  return hash & kLow31;
}

uint32_t SdbmHash(std::string_view s) {
  uint32_t hash = 0;
  ForEachByte(s, [&](uint32_t c) { hash = hash * 65599 + c; });
  return hash & kLow31;
}

uint32_t PjwHash(std::string_view s) {
  constexpr uint32_t kUpperFour = 0xf0000000;
  uint32_t hash = 0;
  ForEachByte(s, [&](uint32_t c) {
    hash = (hash << 4) + c;
    const uint32_t upper = hash & kUpperFour;
    hash = (hash ^ (upper >> 24)) & ~kUpperFour;
  });
  return hash;
}

uint32_t ElfHash(std::string_view s) {
  uint32_t hash = 0;
  ForEachByte(s, [&](uint32_t c) {
    hash = (hash << 4) + c;
    const uint32_t upper = hash & 0xf0000000;
    hash ^= upper >> 24;
    hash &= ~upper;
  });
  return hash;
}

const std::array<StringHash, 11> kStringHashes = {{
    {"BKDRHash", &BkdrHash},
    {"APHash", &ApHash},
    {"DJBHash", &DjbHash},
    {"JSHash", &JsHash},
    {"RSHash", &RsHash},
    {"SDBMHash", &SdbmHash},
    {"PJWHash", &PjwHash},
    {"ELFHash", &ElfHash},
    {"XXH3", &Xxh3},
    {"MurmurHash3", &Murmur3},
    {"absl::Hash", &AbslHash},
}};

}  // namespace oneline
