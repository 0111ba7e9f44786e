// Tests of table/bloom/blocked_bloom.h: its bits are those of the
// specification. Kernels, and false positives: tests/table/block/.

#include "table/bloom/blocked_bloom.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "table/hash/hash_list.h"
#include "tests/table/line_specification.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// The filter with no part of the code: lines by 128-bit products.
std::vector<uint8_t> BuildBySpecification(const std::vector<uint64_t>& hashes,
                                          int num_probes, uint32_t num_lines) {
  std::vector<uint8_t> lines(64 * size_t{num_lines});
  for (uint64_t hash : hashes) {
    const auto product = static_cast<unsigned __int128>(hash) * num_lines;
    uint8_t* line = lines.data() + 64 * static_cast<size_t>(product >> 64);
    for (int i = 0; i < num_probes; ++i) {
      const uint64_t bit = BloomBitBySpecification(64, hash, i);
      line[bit / 8] = static_cast<uint8_t>(line[bit / 8] | 1 << bit % 8);
    }
  }
  return lines;
}

std::vector<uint8_t> Build(const std::vector<uint64_t>& hashes,
                           uint8_t num_probes, uint32_t num_lines) {
  HashList list;
  for (uint64_t hash : hashes) list.Append(hash);
  std::vector<uint8_t> lines(kLineBytes * num_lines);
  blocked_bloom::kLines.build(list, num_probes, /*effort=*/1, lines.data(),
                              num_lines);
  return lines;
}

// 0 to 40 keys and a thousand: Build keeps 16 of them back, to prefetch.
TEST(BlockedBloomTest, BitsAreThoseOfTheSpecification) {
  std::mt19937_64 random = TestRandom();
  for (uint8_t num_probes = 1; num_probes <= 24; ++num_probes) {
    for (uint32_t num_lines : {1u, 2u, 3u, 20u, 1021u}) {
      for (size_t n = 0; n <= 1000; n += n < 40 ? 1 : 960) {
        std::vector<uint64_t> hashes(n);
        for (uint64_t& hash : hashes) hash = random();
        ASSERT_EQ(Build(hashes, num_probes, num_lines),
                  BuildBySpecification(hashes, num_probes, num_lines))
            << n << " keys, " << int{num_probes} << " probes, " << num_lines
            << " lines";
      }
    }
  }
}

}  // namespace
}  // namespace oneline
