// A filter block for few keys, as LevelDB has one for each 2 KiB of a table:
// lines like those of a filter block, but of any equal length up to 64 bytes,
// and an envelope of one byte.
//
//   0                          lines  num_lines * line_bytes
//   num_lines * line_bytes     code   1 byte: kind and parameter
//
//   code  0x80..0xb0  blocked Ribbon, base 4 * (code - 0x80)
//         1..24       blocked Bloom, so many probes
//         other       not known yet: "maybe"
//
// The length of the block gives the rest: there are as few lines as 64 bytes
// allow, all of them equally long, at least 8 bytes.
//
// Lines are those of ribbon_line.h and blocked_bloom.h, with 8 * line_bytes in
// the place of 512; docs/internals/format.md is the specification. The seed of
// the key hash is not in the block.
//
// Bytes that can't be such a block get the answer "maybe". There is no
// checksum: damage that leaves a possible block can make a key be missed.

#ifndef ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_H_
#define ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/block/line_count.h"
#include "table/bloom/blocked_bloom.h"
#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"
#include "table/ribbon_line/ribbon_masks.h"
#include "table/simd/lookups.h"

namespace oneline {

// One load fetches the beginning of a line. The least of LevelDB's own filter.
inline constexpr size_t kMinLineBytes = 8;

// How the lines of a block lie.
struct ShortBlockShape {
  uint32_t num_lines;
  uint32_t line_bytes;

  size_t lines_bytes() const { return size_t{num_lines} * line_bytes; }
  size_t block_bytes() const { return lines_bytes() + 1; }
};

// The shape of a block for that many keys: of num_keys * bits_per_key bits,
// envelope and all, to the nearest byte, then to the nearest with which all
// lines are equally long; 9 bytes at least.
// REQUIRES: num_keys > 0; bits_per_key in 1..100.
ShortBlockShape ShortBlockShapeFor(size_t num_keys, double bits_per_key);

// The bits per key with which a block for that many keys has about the rate
// that a large filter has with `large_bits_per_key`: not all bits of a short
// block are for keys. By the model the rate is then at most 1.05 times that of
// the large filter for rates of 0.5 to 1e-4, and from 0.1 to 0.001 the blocks
// are on average at most 5 % larger than the least that have this rate.
// REQUIRES: as above.
double ShortBlockBitsPerKeyFor(const KindTraits& kind, size_t num_keys,
                               double large_bits_per_key);

// The code of a block of the Ribbon with base 0.
inline constexpr uint8_t kShortRibbon = 0x80;

// Never a code of any kind.
inline constexpr uint8_t kNoShortKind = 0;

// Appends the block of the keys with these hashes, in any order, any of them
// repeated; nothing if there are none. Sorts the hashes. The bytes depend on
// the set of hashes and the other arguments alone. Of another kind than the one
// requested if that is better: see EffectiveKind. A kind without a code gets a
// block that answers "maybe". REQUIRES: bits_per_key in 1..100.
void AppendShortBlock(const KindTraits& kind, double bits_per_key,
                      std::vector<uint64_t>* hashes, std::string* out);

// The kernels of one instruction set.
struct ShortBlockKernels {
  const ProbeKernel& bloom;
  const ProbeKernel& ribbon;
};

// REQUIRES: IsSupported(set).
inline ShortBlockKernels ShortBlockKernelsFor(InstructionSet set) {
  return {KernelFor(*blocked_bloom::kLines.kernels, set),
          KernelFor(*blocked_ribbon::kLines.kernels, set)};
}

// False if the key with this hash is certainly not in the block, which may be
// any bytes; none outside them is read. Thread-safe.
inline bool ShortBlockMayMatch(std::string_view block, uint64_t hash,
                               const ShortBlockKernels& kernels) {
  constexpr size_t kMaxBytes = size_t{kMaxLines} * kLineBytes + 1;
  if (block.size() <= kMinLineBytes || block.size() > kMaxBytes) return true;
  const auto* lines = reinterpret_cast<const uint8_t*>(block.data());
  const auto lines_bytes = static_cast<uint32_t>(block.size() - 1);
  const uint8_t code = lines[lines_bytes];
  ShortLine line = {lines, lines_bytes};
  if (lines_bytes > kLineBytes) {
    const uint32_t num_lines = (lines_bytes - 1) / kLineBytes + 1;
    line.num_bytes = lines_bytes / num_lines;
    if (line.num_bytes * num_lines != lines_bytes) return true;
    line.bytes += size_t{line.num_bytes} * LineIndex(hash, num_lines);
  }
  if (code >= kShortRibbon) {
    const uint32_t base = blocked_ribbon::kBaseStep * (code - kShortRibbon);
    if (base > blocked_ribbon::kMaxBase) return true;
    const auto& masks = blocked_ribbon::FindRibbonMasks(base, line.num_bytes);
    return kernels.ribbon.short_line(line, hash, {&masks});
  }
  if (code == kNoShortKind || code > blocked_bloom::kMaxProbes) return true;
  return kernels.bloom.short_line(line, hash, {nullptr, code});
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SHORT_BLOCK_SHORT_BLOCK_H_
