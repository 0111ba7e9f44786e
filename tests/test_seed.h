// The seed of randomised tests: another one in every run, printed, so that a
// run that failed can be repeated:
//
//   ONELINE_TEST_SEED=1234 bazel test //tests:all

#ifndef ONELINE_TESTS_TEST_SEED_H_
#define ONELINE_TESTS_TEST_SEED_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "table/hash/key_hash.h"

namespace oneline {

inline uint64_t TestSeed() {
  static const uint64_t seed = [] {
    const char* given = std::getenv("ONELINE_TEST_SEED");
    const uint64_t s = given != nullptr && *given != '\0'
                           ? std::strtoull(given, nullptr, 0)
                           : std::random_device()();
    std::printf("ONELINE_TEST_SEED=%llu repeats this run.\n",
                static_cast<unsigned long long>(s));
    std::fflush(stdout);
    return s;
  }();
  return seed;
}

// Random numbers for the test that is running. They depend on its name and the
// seed alone, so that it fails again when it is run without the others.
inline std::mt19937_64 TestRandom() {
  const testing::TestInfo* test =
      testing::UnitTest::GetInstance()->current_test_info();
  const std::string name =
      std::string(test->test_suite_name()) + "." + test->name();
  return std::mt19937_64(KeyHash(name, TestSeed()));
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TEST_SEED_H_
