// What Refilter expects of a table's filter where the size alone says little:
// in partitions that keys make short.

#include "filter_policy/refilter/expected_filter.h"

#include <gtest/gtest.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>

#include "tests/filter_policy/policies.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

// Partitions end with those of the index, which a few long keys fill.
class ShortPartitionsTest : public testing::TestWithParam<size_t> {
 protected:
  static rocksdb::Options OptionsFor(const char* policy) {
    rocksdb::BlockBasedTableOptions table;
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = GetParam();
    rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
    options.disable_auto_compactions = true;
    return options;
  }

  static void Fill(const ScratchDatabase& database) {
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(database
                      ->Put({}, KeyAt(2 * i) + std::string(700, 'k'),
                            std::string(300, 'v'))
                      .ok());
    }
    ASSERT_TRUE(database->Flush({}).ok());
  }
};

TEST_P(ShortPartitionsTest, AreRewrittenOnce) {
  ScratchDatabase database(OptionsFor("bloomfilter:10:false"));
  Fill(database);
  ASSERT_FALSE(HasFatalFailure());
  ExpectNothingToDo(database);
  for (const char* policy :
       {"oneline:10", "oneline:14", "{id=oneline;kind=bloom}",
        "bloomfilter:10:false", "oneline:10"}) {
    SCOPED_TRACE(policy);
    database.Reopen(OptionsFor(policy));
    EXPECT_EQ(RefilterAll(database).tables_rewritten, 1u);
    ExpectNothingToDo(database);
  }
}

INSTANTIATE_TEST_SUITE_P(MetadataBlockSize, ShortPartitionsTest,
                         testing::Values(512, 4096));

}  // namespace
}  // namespace oneline
