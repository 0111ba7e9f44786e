#include "table/blocked_bloom.h"

#include <algorithm>

#include "table/bloom_probes_table.h"
#include "table/hash_partition.h"
#include "table/sizing.h"

namespace oneline {
namespace blocked_bloom {
namespace {

// Sets the bits of keys one after another. A key's line may be far away: it is
// asked for when the key is added and written when the key leaves the ring, 16
// keys later.
class BitSetter {
 public:
  BitSetter(uint8_t num_probes, uint8_t* lines, uint32_t num_lines)
      : num_probes_(num_probes), lines_(lines), num_lines_(num_lines) {}

  void Add(uint64_t hash) {
    Waiting& slot = ring_[num_added_ % kAhead];
    if (num_added_ >= kAhead) SetBits(slot);
    slot = {hash, lines_ + kLineBytes * LineIndex(hash, num_lines_)};
    __builtin_prefetch(slot.line);
    ++num_added_;
  }

  // To be called once, after the last key.
  void Finish() {
    for (size_t i = 0; i < std::min(num_added_, kAhead); ++i) SetBits(ring_[i]);
  }

 private:
  static constexpr size_t kAhead = 16;

  struct Waiting {
    uint64_t hash;
    uint8_t* line;
  };

  void SetBits(const Waiting& key) const {
    ForEachProbe(key.hash, num_probes_, [&key](uint32_t bit) {
      key.line[bit / 8] |= static_cast<uint8_t>(1u << (bit % 8));
      return true;
    });
  }

  const uint8_t num_probes_;
  uint8_t* const lines_;
  const uint32_t num_lines_;
  Waiting ring_[kAhead];
  size_t num_added_ = 0;
};

}  // namespace

uint8_t ChooseParameter(double bits_per_key, size_t, uint32_t) {
  const auto* first_above = std::upper_bound(
      std::begin(kLeastBitsPerKey), std::end(kLeastBitsPerKey), bits_per_key);
  return static_cast<uint8_t>(
      std::max<ptrdiff_t>(1, first_above - std::begin(kLeastBitsPerKey)));
}

double FpRate(double bits_per_key, uint8_t num_probes, int) {
  return BlockedBloomFpRate(bits_per_key, num_probes);
}

void Build(HashList& hashes, uint8_t num_probes, int, uint8_t* lines,
           uint32_t num_lines) {
  // Lines that a processor keeps near itself. A larger filter is filled part by
  // part: at 100 MB, sorting the keys for that costs a fifth of what the misses
  // would.
  constexpr uint32_t kLinesInPart = (1 << 20) / kLineBytes;
  BitSetter setter(num_probes, lines, num_lines);
  if (num_lines > 2 * kLinesInPart) {
    HashPartition(hashes, num_lines, {0, hashes.size(), 0, num_lines},
                  num_lines / kLinesInPart + 1);
  }
  hashes.ForEach([&](uint64_t hash) { setter.Add(hash); });
  setter.Finish();
}

#if defined(__x86_64__)
constexpr ProbeKernels kKernels = {&kPortableKernel, &kAvx2Kernel,
                                   &kAvx512Kernel};
#else
constexpr ProbeKernels kKernels = {&kPortableKernel, &kPortableKernel,
                                   &kPortableKernel};
#endif

}  // namespace blocked_bloom
}  // namespace oneline
