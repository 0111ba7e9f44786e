// Tests of bench/urls/url_sets.h: memory and false positives of each way to
// remember URLs are as expected. The benchmark measures times.

#include "bench/urls/url_sets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace oneline {
namespace {

TEST(UrlSetsTest, MemoryAndFalsePositives) {
  // So many that temporary allocations hardly count.
  constexpr uint64_t kUrls = 200000;
  const std::vector<std::string> members = MakeUrls(kUrls, 1);
  const std::vector<std::string> absent = MakeUrls(kUrls, 2);
  struct Known {
    double min_bytes, max_bytes, false_positives;
  };
  // URLs have about 55 bytes. A node of a set adds a pointer, a hash and
  // malloc's overhead.
  const std::map<std::string, Known> known = {
      {"set of strings", {100, 200, 0}},
      {"set of MD5 sums", {32, 70, 0}},
      {"bitmap, as large as Bloom", {1.19, 1.21, 0.0991}},
      {"bitmap, 100 bits per URL", {12.4, 12.6, 0.00995}},
      {"Bloom, 1 %", {1.19, 1.21, 0.0100}},
      {"blocked Bloom, 1 %", {1.20, 1.3, 0.0100}},
      {"counting Bloom, 1 %", {4.78, 4.81, 0.0100}},
  };
  ASSERT_EQ(UrlSetCandidates().size(), known.size());
  for (const UrlSetCandidate& candidate : UrlSetCandidates()) {
    const UrlSetFigures figures = MeasureUrlSet(candidate, members, absent);
    const Known& expected = known.at(candidate.name);
    EXPECT_FALSE(figures.has_false_negative) << candidate.name;
    EXPECT_GE(figures.bytes_per_url, expected.min_bytes) << candidate.name;
    EXPECT_LE(figures.bytes_per_url, expected.max_bytes) << candidate.name;
    EXPECT_NEAR(figures.false_positives, expected.false_positives,
                6 * std::sqrt(expected.false_positives / kUrls))
        << candidate.name;
  }
}

}  // namespace
}  // namespace oneline
