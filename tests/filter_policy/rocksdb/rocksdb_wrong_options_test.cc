// Options out of bounds: a database with such a policy does not open, the error
// names the option, and no table is written.

#include <gtest/gtest.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct WrongOptions {
  FilterOptions options;
  std::initializer_list<const char*> error;
};

FilterOptions WithBits(double bits_per_key) {
  FilterOptions options;
  options.bits_per_key = bits_per_key;
  return options;
}

FilterOptions WithKind(int kind) {
  FilterOptions options;
  options.kind = static_cast<Kind>(kind);
  return options;
}

FilterOptions WithRate(double fp_rate, std::optional<double> bits = {}) {
  FilterOptions options;
  options.fp_rate = fp_rate;
  options.bits_per_key = bits;
  return options;
}

FilterOptions WithEffort(int effort) {
  FilterOptions options;
  options.effort = effort;
  return options;
}

FilterOptions WithBloomBefore(int level) {
  FilterOptions options;
  options.bloom_before_level = level;
  return options;
}

const WrongOptions kWrongOptions[] = {
    {WithBits(std::numeric_limits<double>::quiet_NaN()),
     {"bits_per_key", "nan", "1 to 100"}},
    {WithBits(-1), {"bits_per_key", "-1", "1 to 100"}},
    {WithBits(101), {"bits_per_key", "101", "1 to 100"}},
    {WithBits(kInfinity), {"bits_per_key", "inf", "1 to 100"}},
    {WithBits(-kInfinity), {"bits_per_key", "-inf", "1 to 100"}},
    {WithKind(0), {"kind", "0", "ribbon or bloom"}},
    {WithKind(200), {"kind", "200", "ribbon or bloom"}},
    {WithRate(0), {"fp_rate", "0", "1e-9 to 0.5"}},
    {WithRate(1), {"fp_rate", "1", "1e-9 to 0.5"}},
    {WithRate(0.01, 10), {"fp_rate=0.01", "bits_per_key=10", "both"}},
    {WithEffort(3), {"effort", "3", "1, 2, 4 or 8"}},
    {WithBloomBefore(-2), {"bloom_before_level", "-2", "-1 to 1000"}},
};

PolicyPtr WrongPolicy(const WrongOptions& wrong) {
  return NewRocksDBFilterPolicy(wrong.options);
}

void ExpectNames(const Status& status,
                 std::initializer_list<const char*> parts) {
  EXPECT_FALSE(status.ok());
  for (const char* part : parts) {
    EXPECT_NE(status.ToString().find(part), std::string::npos)
        << "no \"" << part << "\" in: " << status.ToString();
  }
}

size_t CountTables(const std::string& path) {
  size_t tables = 0;
  if (!std::filesystem::exists(path)) return 0;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    tables += file.path().extension() == ".sst";
  }
  return tables;
}

TEST(WrongOptionsTest, TheDatabaseDoesNotOpen) {
  for (const WrongOptions& wrong : kWrongOptions) {
    const TemporaryDirectory directory;
    std::unique_ptr<rocksdb::DB> db;
    const Status status = rocksdb::DB::Open(
        OptionsWith(WrongPolicy(wrong)), directory.File("db"), OpenInto(&db));
    EXPECT_EQ(db, nullptr);
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    ExpectNames(status, wrong.error);
    EXPECT_EQ(CountTables(directory.File("db")), 0u);
  }
}

// Recovery writes what is only in the log into a table.
TEST(WrongOptionsTest, NothingIsRecoveredIntoATable) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.Put(0, 100);
  for (const WrongOptions& wrong : kWrongOptions) {
    ExpectNames(database.TryReopen(OptionsWith(WrongPolicy(wrong))),
                wrong.error);
    EXPECT_EQ(CountTables(database.path()), 0u);
  }
  database.Reopen(OptionsWith(OurPolicy(10)));
  ExpectFiltered(database, 0, 100, 0.8);
}

// CreateColumnFamily does not validate options. Later versions of RocksDB read
// the OPTIONS file that they have written, and find that the option differs.
TEST(WrongOptionsTest, ACreatedColumnFamilyGetsNoTable) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  rocksdb::ColumnFamilyHandle* family = nullptr;
  Status status = database->CreateColumnFamily(
      OptionsWith(WrongPolicy(kWrongOptions[2])), "wrong", &family);
  if (status.ok()) {
    ASSERT_TRUE(
        database->Put(rocksdb::WriteOptions(), family, "key", "value").ok());
    status = database->Flush(rocksdb::FlushOptions(), family);
    ExpectNames(status, kWrongOptions[2].error);
  } else {
    ExpectNames(status, {"bits_per_key"});
  }
  // It is there, too, if only the OPTIONS file could not be written.
  if (family != nullptr) {
    EXPECT_TRUE(database->DestroyColumnFamilyHandle(family).ok());
  }
  rocksdb::TablePropertiesCollection tables;
  EXPECT_TRUE(database.Tables().empty());
}

TEST(WrongOptionsTest, SstFileWriterFails) {
  for (bool partitioned : {false, true}) {
    for (const WrongOptions& wrong : kWrongOptions) {
      const TemporaryDirectory directory;
      rocksdb::BlockBasedTableOptions table;
      if (partitioned) {
        table.index_type =
            rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
        table.partition_filters = true;
      }
      rocksdb::SstFileWriter writer(rocksdb::EnvOptions(),
                                    OptionsWith(WrongPolicy(wrong), table));
      ASSERT_TRUE(writer.Open(directory.File("sst")).ok());
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(writer.Put(KeyAt(i), ValueAt(i)).ok());
      }
      ExpectNames(writer.Finish(), wrong.error);
    }
  }
}

}  // namespace
}  // namespace oneline
