// A lookup touches one of the processor's cache lines if the filter begins on
// one: what this project is for, counted in the kernels as they are.

#include "bench/filters/lookup_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"

namespace oneline {
namespace {

constexpr double kBitsPerKey = 10;
constexpr size_t kKeys = 50 * 1000;
constexpr size_t kLookups = 96;

LookupLines Count(const Candidate& candidate, size_t misalignment,
                  LookupType type) {
  return PlacedFilter(candidate, kKeys, misalignment).Count(type, kLookups);
}

// Those whose names begin so.
std::vector<Candidate> CandidatesOf(const std::string& whom) {
  static const auto* const all =
      new std::vector<Candidate>(CandidatesAt(kBitsPerKey));
  std::vector<Candidate> candidates;
  for (const Candidate& candidate : *all) {
    if (candidate.name.rfind(whom, 0) == 0) candidates.push_back(candidate);
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
    EXPECT_EQ(lines.asked_for, 1.0);
  }
  // Keys of a batch may share a line.
  const LookupLines batch = Count(GetParam(), 0, LookupType::kAbsentBatch);
  EXPECT_LE(batch.asked_for, 1.0);
  EXPECT_GE(batch.read, 0.9);
}

// What a kernel may read of a filter that begins elsewhere: a Ribbon's decides
// most absent keys by the first 48 bytes of their line.
double MostLines(const Candidate& candidate, size_t misalignment,
                 LookupType type) {
  const bool ribbon = candidate.name.find("ribbon") != std::string::npos;
  const bool absent = type == LookupType::kAbsent;
  return ribbon && absent && misalignment == 16 ? 1.25 : 2.0;
}

TEST_P(LookupLinesTest, AtMostTwoLinesIfItIsNot) {
  for (const size_t misalignment : {16, 32, 48}) {
    for (const LookupType type : {LookupType::kAbsent, LookupType::kPresent}) {
      const LookupLines lines = Count(GetParam(), misalignment, type);
      EXPECT_GE(lines.read, 1.0);
      EXPECT_LE(lines.read, MostLines(GetParam(), misalignment, type));
      EXPECT_LE(lines.asked_for, 2.0);
    }
  }
}

// The count is no constant: RocksDB's filter prefetches both ends of its line.
TEST(LookupLinesOfRocksDBTest, TwoLinesIfTheFilterIsNotAligned) {
  const Candidate bloom = CandidatesOf("rocksdb_bloom").at(0);
  EXPECT_EQ(Count(bloom, 0, LookupType::kAbsent).asked_for, 1.0);
  const LookupLines at_16 = Count(bloom, 16, LookupType::kAbsent);
  EXPECT_EQ(at_16.asked_for, 2.0);
  EXPECT_GT(at_16.read, 1.0);
  EXPECT_GE(Count(bloom, 16, LookupType::kPresent).read, at_16.read);
}

// Nor is it blind to a load that lies on two lines: vector kernels of a Bloom
// filter load their whole line.
TEST(LookupLinesOfBloomTest, VectorLoadsLieOnTwoLines) {
  for (const char* kernel : {"oneline_bloom_avx2", "oneline_bloom_avx512"}) {
    for (const Candidate& bloom : CandidatesOf(kernel)) {
      EXPECT_EQ(Count(bloom, 16, LookupType::kAbsent).read, 2.0) << kernel;
    }
  }
}

}  // namespace
}  // namespace oneline
