#include "tools/rewrite/table_identity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <random>

#include "tools/manifest/coding.h"

namespace oneline {
namespace {

constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr uint64_t kBase = 36;
// The last digits have the lower 62 bits, those before all bits above.
constexpr size_t kLowDigits = 12, kHighDigits = 8;
constexpr uint64_t kLowBits = ~uint64_t{0} >> 2;

std::string DigitsOf(uint64_t number, size_t n) {
  std::string digits(n, '0');
  for (; n > 0; number /= kBase) digits[--n] = kDigits[number % kBase];
  return digits;
}

std::optional<uint64_t> NumberOf(std::string_view digits) {
  uint64_t number = 0;
  for (const char c : digits) {
    uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint64_t>(c - '0');
    } else if (c >= 'A' && c <= 'Z') {
      digit = static_cast<uint64_t>(c - 'A') + 10;
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<uint64_t>(c - 'a') + 10;
    } else {
      return std::nullopt;
    }
    number = number * kBase + digit;
  }
  return number;
}

}  // namespace

std::string NewSessionId() {
  std::random_device random;
  const auto random64 = [&] { return uint64_t{random()} << 32 | random(); };
  // As many bits as the digits hold.
  const uint64_t upper = random64() >> 25;
  const uint64_t lower = random64() | 1;
  return DigitsOf(upper << 2 | lower >> 62, kHighDigits) +
         DigitsOf(lower & kLowBits, kLowDigits);
}

std::optional<std::string> UniqueIdOf(std::string_view database_id,
                                      std::string_view session_id,
                                      uint64_t original_number) {
  const size_t digits = session_id.size();
  if (database_id.empty() || original_number == 0 || digits <= kLowDigits ||
      digits > 2 * kLowDigits) {
    return std::nullopt;
  }
  const auto high = NumberOf(session_id.substr(0, digits - kLowDigits));
  const auto low = NumberOf(session_id.substr(digits - kLowDigits));
  if (!high.has_value() || !low.has_value()) return std::nullopt;
  const uint64_t upper = *high >> 2;
  const uint64_t lower = (*low & kLowBits) | *high << 62;
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(database_id.data(), database_id.size(), upper);
  std::string id;
  PutFixed(lower, &id);
  PutFixed(static_cast<uint64_t>(hash.high64) ^ original_number, &id);
  return id;
}

}  // namespace oneline
