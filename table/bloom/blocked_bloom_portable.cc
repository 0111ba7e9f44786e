// The portable kernel of the blocked Bloom filter: what the others must equal.

#include "table/bloom/blocked_bloom.h"
#include "table/simd/prefetch.h"

namespace oneline {
namespace blocked_bloom {
namespace {

bool One(const uint8_t* line, uint64_t hash, uint8_t num_probes) {
  return ForEachProbe(hash, num_probes, [line](uint32_t bit) {
    return (line[bit / 8] >> (bit % 8) & 1) != 0;
  });
}

void Batch(const uint8_t* lines, uint32_t num_lines, const uint64_t* hashes,
           size_t n, uint8_t num_probes, bool* may_match) {
  const uint8_t* line[kBatchKeys];
  for (size_t m; n > 0; n -= m, hashes += m, may_match += m) {
    m = PrefetchLines(lines, num_lines, hashes, n, line);
    for (size_t i = 0; i < m; ++i) {
      may_match[i] = One(line[i], hashes[i], num_probes);
    }
  }
}

}  // namespace

constexpr ProbeKernel kPortableKernel = {&One, &Batch};

}  // namespace blocked_bloom
}  // namespace oneline
