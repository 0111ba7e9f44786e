// Tests of SetOptions on an open database: it applies to the next table. (Wrong
// values: rocksdb_refused_options_test.cc. Threads: rocksdb_threads_test.cc.)

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <string>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"

namespace oneline {
namespace {

using rocksdb::Status;

// Compacts all tables into one, whose filter must have the bits per key of the
// last level of a tree: what was asked for, or up to a tenth fewer.
void ExpectNextTableHas(ScratchDatabase* database, double bits) {
  database->WriteTable(0, 20000);
  database->CompactAll();
  ASSERT_EQ(database->Tables().size(), 1u);
  EXPECT_LE(database->FilterBitsPerKey(), bits + 0.1);
  EXPECT_GE(database->FilterBitsPerKey(), 0.9 * bits - 0.1);
}

std::string TextOf(const std::string& policy) {
  return PolicyNamed(policy)->ToString(rocksdb::ConfigOptions());
}

// Tables written before stay as they are.
TEST(SetOptionsTest, BitsPerKeyAppliesToTheNextTable) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 20000);
  ASSERT_TRUE(SetFilterOptions(database, "bits_per_key=20").ok());
  EXPECT_NEAR(database.FilterBitsPerKey(), 10, 0.1);
  database.WriteTable(20000, 40000);
  EXPECT_NEAR(database.FilterBitsPerKey(), 15, 0.1);
  for (const char* bits : {"16", "4.5", "0", "0.7", "12"}) {
    SCOPED_TRACE(bits);
    ASSERT_TRUE(
        IsOk(SetFilterOptions(database, "bits_per_key=" + std::string(bits))));
    const double expected = std::string(bits) == "0.7" ? 1 : std::stod(bits);
    ExpectNextTableHas(&database, expected);
  }
  ExpectFiltered(database, 0, 4000);
}

// The options that a text for the whole policy does not name have their
// defaults.
TEST(SetOptionsTest, ATextForTheWholePolicy) {
  ScratchDatabase database(
      OptionsWith(PolicyNamed("{id=oneline:16;kind=bloom}")));
  EXPECT_EQ(PolicyTextOf(database),
            TextOf("{id=oneline;kind=bloom;bits_per_key=16}"));
  ASSERT_TRUE(IsOk(SetFilterOptions(database, "fp_rate=0.01")));
  EXPECT_EQ(PolicyTextOf(database), TextOf("{id=oneline;fp_rate=0.01}"));
  EXPECT_FALSE(PolicyOf(database)->IsInstanceOf("oneline"));  // asked from 9.8
  const Status status =
      database->SetOptions({{"table_factory.filter_policy", "oneline:12"}});
  if (!kSetOptionsRemakesPolicy) {
    EXPECT_TRUE(status.IsInvalidArgument());  // another id
    return;
  }
  ASSERT_TRUE(IsOk(status));
  EXPECT_EQ(PolicyTextOf(database), TextOf("oneline:12"));
}

}  // namespace
}  // namespace oneline
