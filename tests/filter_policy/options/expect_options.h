// What the tests of this folder share: example options, and expectations.

#ifndef ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "filter_policy/options/option_table.h"
#include "oneline/filter_options.h"

namespace oneline {

// No option has its default, so that a test sees which ones change. (fp_rate
// and level_bits_per_key exclude others and are not given.)
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

// Each option as it is printed. (option_places_test: every field is an option.)
inline void ExpectEqual(const FilterOptions& a, const FilterOptions& b) {
  for (const OptionRow& option : kOptions) {
    EXPECT_EQ(option.field.print(a), option.field.print(b)) << option.name;
  }
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
