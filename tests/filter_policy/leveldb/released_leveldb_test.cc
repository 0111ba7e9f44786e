// LevelDB databases that releases wrote (tests/golden/VERSION/leveldb) are read
// by this version: all keys are there, and the filters answer for absent ones.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/filter_policy/leveldb/scratch_leveldb.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/golden/released_tables.h"

namespace oneline {
namespace {

TEST(ReleasedLevelDBTest, IsRead) {
  for (const std::filesystem::path& release : Releases()) {
    SCOPED_TRACE(release);
    ScratchLevelDB database;
    std::filesystem::copy(release / "leveldb", database.path());
    const CountingPolicy policy(FilterOptions{});
    database.Open(&policy);
    for (int i = 0; i < kReleasedKeys; ++i) {
      EXPECT_EQ(database.Get(KeyAt(i)), i % 2 == 0 ? ValueAt(i) : "-");
    }
    EXPECT_GT(policy.refused(), kReleasedKeys / 2 * 95 / 100);
    database.Close();
  }
}

}  // namespace
}  // namespace oneline
