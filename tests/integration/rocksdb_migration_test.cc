// Moving databases between RocksDB's own filters and ours, both ways, without
// rewriting tables: our policy uses RocksDB's filters, and without our policy
// no key of our tables is lost. (Tables of both side by side:
// rocksdb_metamorphic_test.cc.)

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"

namespace oneline {
namespace {

using Names = std::vector<std::string>;

constexpr int kLastKey = 2000;

// The layouts that differ in how a table's filter is found and read.
constexpr TableLayout kLayouts[] = {"Full", "FullKeysAndPrefixes",
                                    "PartitionedEvicted", "PartitionedPrefixes",
                                    "PartitionedBloom"};

// ribbonfilter:10:-1 writes Ribbon filters at every level and in flushes.
constexpr const char* kBuiltinPolicies[] = {
    "bloomfilter:10:false", "ribbonfilter:10:-1",
    "rocksdb.internal.LegacyBloomFilter:10"};

using Case = std::tuple<TableLayout, const char*>;

class MigrationTest : public testing::TestWithParam<Case> {
 protected:
  const TableLayout& layout() const { return std::get<0>(GetParam()); }
  const char* builtin() const { return std::get<1>(GetParam()); }

  rocksdb::Options Ours() const {
    return OptionsFor(layout(), PolicyFor(layout()));
  }
  rocksdb::Options Builtin() const {
    return OptionsFor(layout(), PolicyNamed(builtin()));
  }
  std::string BuiltinName() const { return PolicyNamed(builtin())->Name(); }
};

INSTANTIATE_TEST_SUITE_P(Policies, MigrationTest,
                         testing::Combine(testing::ValuesIn(kLayouts),
                                          testing::ValuesIn(kBuiltinPolicies)));

TEST_P(MigrationTest, RocksDBsFiltersGoOnWorkingUnderOurs) {
  ScratchDatabase database(Builtin(), kLastKey);
  ASSERT_EQ(database.PolicyNames(), Names{BuiltinName()});

  database.Reopen(Ours());
  EXPECT_EQ(database.PolicyNames(), Names{BuiltinName()});
  ExpectFiltered(database, 0, kLastKey, 0.9);

  database.CompactAll();
  EXPECT_EQ(database.PolicyNames(), Names{"oneline"});
  ExpectFiltered(database, 0, kLastKey);
}

TEST_P(MigrationTest, RocksDBLosesNoKeyOfOurs) {
  ScratchDatabase database(Ours(), kLastKey);
  ExpectFiltered(database, 0, kLastKey);

  database.Reopen(Builtin());
  EXPECT_EQ(database.PolicyNames(), Names{"oneline"});
  ExpectUnfiltered(database, 0, kLastKey);

  database.CompactAll();
  EXPECT_EQ(database.PolicyNames(), Names{BuiltinName()});
  ExpectFiltered(database, 0, kLastKey, 0.9);
}

}  // namespace
}  // namespace oneline
