// Whether a status is OK, for EXPECT_TRUE and ASSERT_TRUE, which then show it.

#ifndef ONELINE_TESTS_IS_OK_H_
#define ONELINE_TESTS_IS_OK_H_

#include <gtest/gtest.h>

namespace oneline {

// Of RocksDB, LevelDB or Abseil.
template <typename Status>
testing::AssertionResult IsOk(const Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << status.ToString();
}

}  // namespace oneline

#endif  // ONELINE_TESTS_IS_OK_H_
