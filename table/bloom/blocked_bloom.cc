#include "table/bloom/blocked_bloom.h"

#include <bitset>
#include <cmath>

#include "table/bloom/bloom_probes_table.h"
#include "table/hash/hash_partition.h"

namespace oneline {
namespace blocked_bloom {
namespace {

// The number of probes with the fewest false positives, by the model of
// tools/models/kind_model.h, of a large filter.
uint8_t ChooseParameter(double bits_per_key, size_t, uint32_t) {
  const auto* first_above = std::upper_bound(
      std::begin(kLeastBitsPerKey), std::end(kLeastBitsPerKey), bits_per_key);
  return static_cast<uint8_t>(
      std::max<ptrdiff_t>(1, first_above - std::begin(kLeastBitsPerKey)));
}

bool ValidParameter(uint8_t num_probes) {
  return num_probes >= 1 && num_probes <= kMaxProbes;
}

// Exact for independent probes.
double FpRate(const uint8_t* line, uint8_t num_probes) {
  size_t bits_set = 0;
  for (size_t i = 0; i < kLineBytes; ++i) {
    bits_set += std::bitset<8>(line[i]).count();
  }
  return std::pow(static_cast<double>(bits_set) / kLineBits, num_probes);
}

void Build(HashList& hashes, uint8_t num_probes, uint8_t* lines,
           uint32_t num_lines) {
  // Lines that a processor keeps near itself. A larger filter is filled part by
  // part: sorting the keys for that costs less than the misses would.
  constexpr uint32_t kLinesInPart = (1 << 20) / kLineBytes;
  if (num_lines > 2 * kLinesInPart) {
    HashPartition(hashes, num_lines, {0, hashes.size(), 0, num_lines},
                  num_lines / kLinesInPart + 1);
  }

  // A key's line is asked for when the key enters this ring and written when it
  // leaves, 16 keys later.
  struct Waiting {
    uint64_t hash;
    uint8_t* line;
  };
  constexpr size_t kAhead = 16;
  Waiting ring[kAhead];
  size_t n = 0;
  hashes.ForEach([&](uint64_t hash) {
    Waiting& slot = ring[n % kAhead];
    if (n >= kAhead) SetBits(slot.hash, num_probes, slot.line);
    slot = {hash, lines + kLineBytes * LineIndex(hash, num_lines)};
    __builtin_prefetch(slot.line);
    ++n;
  });
  for (size_t i = 0; i < std::min(n, kAhead); ++i) {
    SetBits(ring[i].hash, num_probes, ring[i].line);
  }
}

#define ONELINE_KERNEL(set, name, features, bloom, ...) &bloom::kKernel,
#define ONELINE_PORTABLE(...) &portable::kKernel,
constexpr ProbeKernels kKernels = {
    &portable::kKernel, ONELINE_SETS(ONELINE_KERNEL, ONELINE_PORTABLE)};
#undef ONELINE_KERNEL
#undef ONELINE_PORTABLE

LineContext ContextFor(uint8_t num_probes, uint32_t) {
  return {nullptr, num_probes};
}

}  // namespace

constexpr LineFormat kLines = {ChooseParameter, ValidParameter, Build,
                               FpRate,          ContextFor,     &kKernels};

}  // namespace blocked_bloom
}  // namespace oneline
