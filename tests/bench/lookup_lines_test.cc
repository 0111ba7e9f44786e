// A lookup touches one cache line of the processor if the filter begins at one.
// That is what this project is for; it is counted in the real kernels.

#include "bench/filters/lookup_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"

namespace oneline {
namespace {

constexpr double kBitsPerKey = 10;
constexpr size_t kKeys = 50 * 1000;
constexpr size_t kLookups = 32;

LookupLines Count(const Candidate& candidate, size_t misalignment,
                  LookupType type) {
  return PlacedFilter(candidate, kKeys, misalignment).Count(type, kLookups);
}

// The candidates whose names begin with `prefix`.
std::vector<Candidate> CandidatesOf(const std::string& prefix) {
  static const auto* const all =
      new std::vector<Candidate>(CandidatesAt(kBitsPerKey));
  std::vector<Candidate> candidates;
  for (const Candidate& candidate : *all) {
    if (candidate.name.rfind(prefix, 0) == 0) candidates.push_back(candidate);
  }
  return candidates;
}

class LookupLinesTest : public testing::TestWithParam<Candidate> {};

INSTANTIATE_TEST_SUITE_P(Kernels, LookupLinesTest,
                         testing::ValuesIn(CandidatesOf("oneline_")),
                         [](const auto& test) { return test.param.name; });

TEST_P(LookupLinesTest, OneLineIfTheFilterIsAligned) {
  for (const LookupType type : {LookupType::kAbsent, LookupType::kPresent}) {
    const LookupLines lines = Count(GetParam(), 0, type);
    EXPECT_EQ(lines.read, 1.0);
    EXPECT_EQ(lines.read_or_prefetched, 1.0);
  }
  // Keys of a batch may share a line.
  const LookupLines batch = Count(GetParam(), 0, LookupType::kAbsentBatch);
  EXPECT_LE(batch.read_or_prefetched, 1.0);
  EXPECT_GE(batch.read, 0.9);
}

TEST_P(LookupLinesTest, AtMostTwoLinesIfTheFilterIsNotAligned) {
  for (const size_t misalignment : {16, 32, 48}) {
    for (const LookupType type : {LookupType::kAbsent, LookupType::kPresent}) {
      const LookupLines lines = Count(GetParam(), misalignment, type);
      EXPECT_GE(lines.read, 1.0);
      EXPECT_LE(lines.read, 2.0);
      EXPECT_LE(lines.read_or_prefetched, 2.0);
    }
  }
}

// The count varies as it should: RocksDB's filter prefetches both ends of its
// line.
TEST(LookupLinesOfRocksDBTest, TwoLinesIfTheFilterIsNotAligned) {
  const Candidate bloom = CandidatesOf("rocksdb_bloom").at(0);
  EXPECT_EQ(Count(bloom, 0, LookupType::kAbsent).read_or_prefetched, 1.0);
  const LookupLines at_16 = Count(bloom, 16, LookupType::kAbsent);
  EXPECT_EQ(at_16.read_or_prefetched, 2.0);
  EXPECT_GT(at_16.read, 1.0);
  EXPECT_GE(Count(bloom, 16, LookupType::kPresent).read, at_16.read);
}

}  // namespace
}  // namespace oneline
