// Tables that releases wrote (tests/golden/VERSION/) are read by this version:
// all keys are there, and the filters answer for absent ones.

#include "tests/golden/released_tables.h"

#include <gtest/gtest.h>
#include <leveldb/filter_policy.h>

#include <filesystem>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "tests/filter_policy/leveldb/scratch_leveldb.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// The folders of all releases, at least that of 0.1.0.
std::vector<fs::path> Releases() {
  std::vector<fs::path> releases;
  for (const fs::directory_entry& entry :
       fs::directory_iterator("tests/golden")) {
    if (entry.is_directory()) releases.push_back(entry.path());
  }
  EXPECT_FALSE(releases.empty());
  return releases;
}

TEST(ReleasedTablesTest, OfRocksDB) {
  for (const fs::path& release : Releases()) {
    size_t tables = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(release)) {
      if (file.path().extension() != ".sst") continue;
      SCOPED_TRACE(file.path());
      ++tables;
      ScratchDatabase database(OptionsWith(OurPolicy(5)));
      ASSERT_TRUE(
          IsOk(database->IngestExternalFile({file.path().string()}, {})));
      EXPECT_EQ(database.PolicyNames(),
                std::vector<std::string>{OurPolicy(5)->Name()});
      ExpectFiltered(database, 0, kReleasedKeys);
    }
    EXPECT_GT(tables, 0u) << release;
  }
}

TEST(ReleasedTablesTest, OfLevelDB) {
  for (const fs::path& release : Releases()) {
    SCOPED_TRACE(release);
    ScratchLevelDB database;
    fs::copy(release / "leveldb", database.path());
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
