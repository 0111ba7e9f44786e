// The portable kernel of the blocked Ribbon: what the others must equal. The
// bits of the product that are compared, one after the other, each as the
// parity of the coefficients and the 64 bits of the line that end there.

#include <algorithm>

#include "table/hash/little_endian.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon_line/ribbon_masks.h"

namespace oneline {
namespace blocked_ribbon {
namespace portable {

#define ONELINE_TARGET

constexpr uint32_t kLineWords = kLineBytes / 8;

static uint64_t Parity(uint64_t x) {
  x ^= x >> 32;
  x ^= x >> 16;
  x ^= x >> 8;
  x ^= x >> 4;
  return 0x6996 >> (x & 15) & 1;
}

// The bits up to `position`, which is the highest of the result. `words` begins
// with a word of zeros, for what is before the line.
static uint64_t BitsUpTo(uint32_t position, const uint64_t* words) {
  const uint32_t shift = position % 64;
  const uint64_t* const word = words + 1 + position / 64;
  return word[0] << (63 - shift) | word[-1] >> shift >> 1;
}

static bool Matches(const uint64_t* words, const Query& query) {
  const uint64_t reversed = ReverseBits(query.coefficients);
  for (uint32_t i = kLineWords; i-- > 0;) {
    for (uint64_t left = query.mask[i]; left != 0; left &= left - 1) {
      const uint32_t position =
          64 * i + static_cast<uint32_t>(__builtin_ctzll(left));
      if (Parity(BitsUpTo(position, words) & reversed) !=
          ExpectedBit(query.mix, position)) {
        return false;
      }
    }
  }
  return true;
}

static bool Probe(const uint8_t* line, uint64_t hash, LineContext context) {
  uint64_t words[1 + kLineWords] = {};
  for (uint32_t i = 0; i < kLineWords; ++i) {
    words[1 + i] = GetLittleEndian<uint64_t>(line + 8 * i);
  }
  return Matches(words, MakeQuery(line, hash, context));
}

static bool ProbeShort(ShortLine line, uint64_t hash, LineContext context) {
  // To the end of 64 bytes, where the table has the columns.
  uint8_t bytes[kLineBytes] = {};
  std::copy_n(line.bytes, line.num_bytes,
              bytes + (kLineBytes - line.num_bytes));
  uint64_t words[1 + kLineWords] = {};
  for (uint32_t i = 0; i < kLineWords; ++i) {
    words[1 + i] = GetLittleEndian<uint64_t>(bytes + 8 * i);
  }
  return Matches(words, MakeQuery(line.bytes, hash, context));
}

#include "table/simd/lookups.inc"

}  // namespace portable
}  // namespace blocked_ribbon
}  // namespace oneline
