// Tests of SetOptions on an open database: it applies to the next table,
// refuses values out of bounds, and may be called while tables are written.

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include <atomic>
#include <string>
#include <thread>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/is_ok.h"

// ThreadSanitizer asks for it, for all tests of this folder. The distribution's
// RocksDB is not instrumented, so ThreadSanitizer can't see that SetOptions and
// writes wait for each other in its queue of writers, and that it deletes
// versions and files by their counts of references.
extern "C" const char* __tsan_default_suppressions() {
  return "race:rocksdb::WriteThread\n"
         "race:rocksdb::Version::Unref\n"
         "race:rocksdb::PosixRandomAccessFile::~PosixRandomAccessFile\n";
}

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
  const auto set = [&](const std::string& options) {
    ASSERT_TRUE(IsOk(SetFilterOptions(database, options)));
    EXPECT_EQ(PolicyTextOf(database), TextOf("{id=oneline;fp_rate=0.01}"));
  };
  set("fp_rate=0.01");
  const Status status =
      database->SetOptions({{"table_factory.filter_policy", "oneline:12"}});
  if (!kSetOptionsRemakesPolicy) {
    EXPECT_TRUE(status.IsInvalidArgument());  // another id
    return;
  }
  ASSERT_TRUE(IsOk(status));
  EXPECT_EQ(PolicyTextOf(database), TextOf("oneline:12"));
  // RocksDB's own policies and none, and back.
  for (const char* name : {"bloomfilter:12:false", "nullptr"}) {
    const std::string text = std::string("{filter_policy=") + name + "}";
    ASSERT_TRUE(
        database->SetOptions({{"block_based_table_factory", text}}).ok());
    const PolicyPtr policy = PolicyOf(database);
    EXPECT_EQ(policy == nullptr ? "nullptr" : policy->GetId(), name);
    set("id=oneline;fp_rate=0.01");
  }
}

// A wrong value of another option, of the table or of the family. (Of
// block_based_table_factory RocksDB takes all or nothing.)
TEST(SetOptionsTest, AnothersMistakeChangesNothing) {
  ScratchDatabase database(OptionsWith(PolicyNamed("oneline:16")));
  // The bits in a name exclude a rate only where both are given together.
  for (const char* before : {"oneline:16", "{id=oneline;fp_rate=0.01}"}) {
    for (const std::string ours : {"bits_per_key=20", "fp_rate=0.02"}) {
      const std::string policy = "{filter_policy={" + ours + "}";
      EXPECT_FALSE(database
                       ->SetOptions({{"block_based_table_factory",
                                      policy + ";block_size=x}"}})
                       .ok());
      EXPECT_FALSE(
          database
              ->SetOptions({{"block_based_table_factory", policy + "}"},
                            {"write_buffer_size", "x"}})
              .ok());
      EXPECT_EQ(PolicyTextOf(database), TextOf(before));
    }
    ASSERT_TRUE(
        IsOk(SetFilterOptions(database, "fp_rate=0.01", Form::kDotted)));
  }
  ExpectNextTableHas(&database, 7.02);
}

// Each table has one of the sizes that are set, and no key is lost.
TEST(SetOptionsTest, MayComeWhileTablesAreWritten) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  std::atomic<bool> done{false};
  std::thread setter([&] {
    int i = 0;
    do {
      const char* size = i % 2 == 0 ? "bits_per_key=20" : "fp_rate=0.002";
      const Form form = i % 4 < 2 ? Form::kWhole : Form::kDotted;
      EXPECT_TRUE(SetFilterOptions(database, size, form).ok());
      ExpectRefused(
          SetFilterOptions(database, "bits_per_key=101", Form::kDotted));
      ExpectRefused(SetFilterOptions(database, "hash_seed=x", Form::kDotted));
      ++i;
    } while (!done);
  });
  for (int i = 0; i < 10; ++i) database.WriteTable(i * 2000, (i + 1) * 2000);
  done = true;
  setter.join();
  for (const auto& table : database.Tables()) {
    const double bits = 8.0 * table->filter_size / table->num_entries;
    EXPECT_TRUE((bits > 9.5 && bits < 11) || (bits > 19.5 && bits < 21))
        << bits;
  }
  ExpectFiltered(database, 0, 20000);
}

}  // namespace
}  // namespace oneline
