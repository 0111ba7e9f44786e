// What the tables in tests/golden/VERSION/ have: the even keys below this, as
// of KeyAt and ValueAt in scratch_database.h.

#ifndef ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_
#define ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_

#include "tests/testing.h"

namespace oneline {

inline constexpr int kReleasedKeys = 600;

// The folders of all releases, at least that of 0.1.0.
inline std::vector<std::filesystem::path> Releases() {
  std::vector<std::filesystem::path> releases;
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/golden")) {
    if (entry.is_directory()) releases.push_back(entry.path());
  }
  EXPECT_FALSE(releases.empty());
  return releases;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_
