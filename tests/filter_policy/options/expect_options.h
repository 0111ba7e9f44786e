// What the tests of this folder share: example options, and expectations.

#ifndef ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// No option has its default, so that a test sees which ones change. (fp_rate,
// level_bits_per_key and hits exclude others and are not given.)
inline FilterOptions Unusual() {
  FilterOptions options;
  options.kind = Kind::kBloom;
  options.bits_per_key = 7.125;
  options.bits_by_level = false;
  options.bloom_before_level = 3;
  options.max_filter_bytes = 1234567;
  options.hash_seed = 99;
  return options;
}

inline void ExpectEqual(const FilterOptions& a, const FilterOptions& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.bits_per_key, b.bits_per_key);
  EXPECT_EQ(a.fp_rate, b.fp_rate);
  EXPECT_EQ(a.level_bits_per_key, b.level_bits_per_key);
  EXPECT_EQ(a.bits_by_level, b.bits_by_level);
  EXPECT_EQ(a.hits, b.hits);
  EXPECT_EQ(a.bloom_before_level, b.bloom_before_level);
  EXPECT_EQ(a.max_filter_bytes, b.max_filter_bytes);
  EXPECT_EQ(a.hash_seed, b.hash_seed);
}

// Expects an error that has all of `parts`.
inline void ExpectError(const std::string& error,
                        const std::vector<const char*>& parts) {
  EXPECT_NE(error, "");
  for (const char* part : parts) {
    EXPECT_NE(error.find(part), std::string::npos)
        << "no \"" << part << "\" in: " << error;
  }
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_
