// RocksDB tables that releases wrote (tests/golden/VERSION/) are read by this
// version: all keys are there, and the filters answer for absent ones.

#include "tests/golden/released_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

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

}  // namespace
}  // namespace oneline
