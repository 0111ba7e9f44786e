// One policy for many databases and column families, as programs have it that
// shard: tables get the bits that docs/internals/allocation.md promises,
// whatever others that share the policy do, have done, or were before they were
// dropped.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"
#include "tests/sanitizers.h"

namespace oneline {
namespace {

constexpr int kPolicyKeys = 2000;  // half of them are put
// Filters are rounded up to whole lines.
constexpr double kPolicyRounding = 0.6;

PolicyPtr TwoLevels() {
  FilterOptions options;
  options.bits_per_key = 10;
  return PolicyWith(options);
}

rocksdb::Options SmallTree(const PolicyPtr& policy, int num_levels) {
  rocksdb::Options options = OptionsWith(policy);
  options.max_bytes_for_level_multiplier = 4;
  options.level_compaction_dynamic_level_bytes = true;
  options.num_levels = num_levels;
  return options;
}

// Small trees under RocksDB's own compactions.
rocksdb::Options Compacting(const PolicyPtr& policy) {
  rocksdb::Options options = SmallTree(policy, 7);
  options.disable_auto_compactions = false;
  options.write_buffer_size = 64 << 10;  // the minimum
  options.max_bytes_for_level_base = 128 << 10;
  options.target_file_size_base = 64 << 10;
  options.compression = rocksdb::kNoCompression;
  return options;
}

// One is loaded in key order while the other takes random writes; then they
// change places.
TEST(OnePolicyTest, LoadsInKeyOrderBesideRandomWrites) {
  constexpr int kMany = kSlow ? 40000 : 60000;
  const PolicyPtr policy = TwoLevels();
  ScratchDatabase loaded(Compacting(policy)), random(Compacting(policy));
  const auto write = [](ScratchDatabase* sorted, ScratchDatabase* other) {
    for (int i = 0; i < kMany; i += 2) {
      const int any = static_cast<int>(i * int64_t{7919} % kMany);
      sorted->Put(i, i + 1);
      other->Put(any, any + 1);
    }
    for (ScratchDatabase* database : {sorted, other}) {
      ASSERT_TRUE((*database)->Flush({}).ok());
      database->WaitForCompactions();
    }
  };
  write(&loaded, &random);
  // Each of its small tables has a trailer, and half a line too much.
  EXPECT_LT(loaded.FilterBitsPerKey(), 10.9);
  std::vector<double> last = BitsOfTables(random).at(6);
  std::sort(last.begin(), last.end());
  EXPECT_NEAR(last[last.size() / 2], 9.23, 0.3);
  write(&random, &loaded);
  for (ScratchDatabase* database : {&loaded, &random}) {
    SCOPED_TRACE(database == &loaded);
    EXPECT_GE(database->FilterBitsPerKey(), 9.5);
    EXPECT_LT(database->FilterBitsPerKey(), 11.5);
  }
  // Level 0 of the one with random writes now has better filters again.
  ASSERT_TRUE(loaded->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  loaded.WriteTable(0, kPolicyKeys);
  EXPECT_NEAR(BitsOfTables(loaded).at(0).front(), 14, kPolicyRounding);
}

}  // namespace
}  // namespace oneline
