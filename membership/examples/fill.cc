// Fills a Bloom filter of any size and measures it.
//
//   fill 1e8 0.00390625    100 million keys and 8 hashes: 144 MB, a minute
//   fill 1e9 0.0001        a billion keys at 0.01 %: 2.4 GB, some minutes
//
// Exit code: 0; 1 if a key was lost; 2 if there can be no such filter.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"
#include "table/hash/little_endian.h"

namespace oneline {
namespace {

// More lookups would not make the result more exact.
constexpr uint64_t kMaxLookups = 100000000;

// Calls visit(key) for keys that are numbers, and counts what is true.
template <typename Visit>
uint64_t CountKeys(uint64_t first, uint64_t last, const Visit& visit) {
  uint64_t count = 0;
  for (uint64_t i = first; i < last; ++i) {
    uint8_t bytes[sizeof(i)];
    PutLittleEndian(i, bytes);
    count += visit(std::string_view(reinterpret_cast<const char*>(bytes), 8));
  }
  return count;
}

int Fill(uint64_t num_keys, double fp_rate) {
  auto filter = BloomFilter::ForKeys(num_keys, fp_rate);
  if (!filter.ok()) {
    std::fprintf(stderr, "fill: %s\n", filter.status().ToString().c_str());
    return 2;
  }
  const int num_hashes = filter->shape().num_hashes;
  const double bits_per_key =
      static_cast<double>(filter->shape().num_positions) /
      static_cast<double>(num_keys);
  CountKeys(0, num_keys, [&](std::string_view k) { return filter->Add(k); });
  const auto found = [&](std::string_view k) { return filter->MayContain(k); };
  const uint64_t lookups = std::min(num_keys, kMaxLookups);
  const uint64_t lost = lookups - CountKeys(0, lookups, found);
  const uint64_t passed = CountKeys(num_keys, num_keys + lookups, found);
  std::printf(
      "memory           %zu bytes: %.2f bits per key, no structure has less "
      "than %.2f\n"
      "hashes           %d, which set %.2f %% of the bits\n"
      "keys             %.0f by the bits set; %d lost\n"
      "false positives  %.4f %%, in theory %.4f %%\n",
      filter->num_bytes(), bits_per_key, InformationBound(fp_rate), num_hashes,
      100 * filter->FillRatio(), filter->EstimatedKeys(),
      static_cast<int>(lost),
      100 * static_cast<double>(passed) / static_cast<double>(lookups),
      100 * ClassicBloomFpRate(bits_per_key, num_hashes));
  return lost == 0 ? 0 : 1;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fill KEYS FP_RATE\n");
    return 2;
  }
  return oneline::Fill(static_cast<uint64_t>(std::atof(argv[1])),
                       std::atof(argv[2]));
}
