// Tests of the kinds rocksdb_bloom and rocksdb_ribbon of our policy in real
// databases: their filters are RocksDB's, OPTIONS files name RocksDB's policy,
// and options can be set all the same. (level_filters_test.cc has their bits by
// level, filter_options_text_test.cc the options that they do not have.)

#include "filter_policy/refilter/table_filter.h"
#include "oneline/level_filters.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/set_filter_options.h"

namespace oneline {
namespace {

constexpr int kWrittenKeys = 12000;

rocksdb::Options ExactOptions(const PolicyPtr& policy,
                              uint32_t format_version = 5) {
  rocksdb::BlockBasedTableOptions table;
  table.optimize_filters_for_memory = false;
  table.format_version = format_version;
  return OptionsWith(policy, table);
}

PolicyPtr OfText(const std::string& options) {
  return PolicyNamed("{id=oneline;bits_by_level=false;" + options + "}");
}

// Of the newest table: "RocksDB Bloom 10".
std::string NewestFilter(const ScratchDatabase& database) {
  std::string newest;
  for (const std::string& path : database.TableFiles()) {
    newest = std::max(newest, path);
  }
  TableFilter filter;
  EXPECT_TRUE(IsOk(ReadTableFilter(database->GetOptions(), newest, &filter)));
  return std::string(NameOf(filter.kind)) + " " +
         std::to_string((8 * filter.block_bytes + filter.keys / 2) /
                        std::max<uint64_t>(filter.keys, 1));
}

std::string NewestOptionsFile(const std::string& database) {
  std::string newest;
  for (const auto& file : std::filesystem::directory_iterator(database)) {
    const std::string path = file.path();
    if (path.find("/OPTIONS-") != path.npos) newest = std::max(newest, path);
  }
  return newest;
}

// What OPTIONS files have of the filter policy.
std::string SavedPolicy(const ScratchDatabase& database) {
  const std::string text = ReadWholeFile(NewestOptionsFile(database.path()));
  const size_t begin = text.find("filter_policy=");
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(BuiltinKindsTest, WriteRocksDBsFiltersByTheirOptions) {
  const struct {
    const char *options, *filter, *saved;
  } kCases[] = {
      {"kind=rocksdb_bloom;bits_per_key=12", "RocksDB Bloom 12",
       "bloomfilter:12:false"},
      {"kind=rocksdb_ribbon", "RocksDB Ribbon 10", "ribbonfilter:14.63:-1"},
      {"kind=rocksdb_ribbon;bloom_before_level=0", "RocksDB Bloom 10",
       "ribbonfilter:14.63:0"},
      {"kind=rocksdb_bloom;level_bits_per_key=16:14:7", "RocksDB Bloom 16",
       "bloomfilter:7:false"},
      {"kind=rocksdb_bloom;bits_per_key=0", "none 0", "bloomfilter:0:false"},
  };
  for (const auto& [options, filter, saved] : kCases) {
    SCOPED_TRACE(options);
    ScratchDatabase database(ExactOptions(OfText(options)), kWrittenKeys);
    EXPECT_EQ(NewestFilter(database), filter);
    EXPECT_EQ(SavedPolicy(database), std::string("filter_policy=") + saved);
    if (filter != std::string("none 0"))
      ExpectFiltered(database, 0, kWrittenKeys);
    // As from RocksDB's own policy.
    database.Reopen(ExactOptions(PolicyNamed("bloomfilter:10")));
    EXPECT_EQ(NewestFilter(database), filter);
    ExpectAllFound(database, 0, kWrittenKeys);
  }
}

TEST(BuiltinKindsTest, OldTablesGetOldFilters) {
  ScratchDatabase database(
      ExactOptions(OfText("kind=rocksdb_bloom;bits_per_key=9.6"), 4),
      kWrittenKeys);
  EXPECT_EQ(NewestFilter(database), "RocksDB old Bloom 10");
  ExpectFiltered(database, 0, kWrittenKeys);
}

TEST(BuiltinKindsTest, OptionsCanBeSetWhileTheDatabaseIsOpen) {
  ScratchDatabase database(ExactOptions(OfText("kind=rocksdb_bloom")),
                           kWrittenKeys);
  const auto expect = [&](const std::string& filter, const std::string& saved) {
    database.WriteTable(0, kWrittenKeys);
    EXPECT_EQ(NewestFilter(database), filter);
    EXPECT_NE(SavedPolicy(database).find("filter_policy=" + saved),
              std::string::npos)
        << SavedPolicy(database);
    ExpectAllFound(database, 0, kWrittenKeys);
  };
  const auto set = [&](const std::string& options, Form form = Form::kDotted) {
    return SetFilterOptions(database, options, form);
  };
  ASSERT_TRUE(IsOk(set("bits_per_key=15")));
  expect("RocksDB Bloom 15", "bloomfilter:15:false");
  ASSERT_TRUE(IsOk(set("kind=rocksdb_ribbon")));
  expect("RocksDB Ribbon 15", "ribbonfilter:23.483:-1");
  // Mistakes change nothing.
  ExpectRefused(set("fp_rate=0.02"), {"fp_rate=0.02", "kind=rocksdb_ribbon"});
  ExpectRefused(set("bits_per_key=101"), {"bits_per_key=101"});
  expect("RocksDB Ribbon 15", "ribbonfilter:23.483:-1");
  // Another option of tables leaves the policy ours.
  ASSERT_TRUE(IsOk(database->SetOptions(
      {{"block_based_table_factory", "{block_size=8192}"}})));
  expect("RocksDB Ribbon 15", "ribbonfilter:23.483:-1");
  ASSERT_TRUE(IsOk(set("kind=ribbon")));
  expect("ribbon 15", "{id=oneline;");
  ASSERT_TRUE(IsOk(
      set("id=oneline;kind=rocksdb_bloom;bits_by_level=false", Form::kWhole)));
  expect("RocksDB Bloom 10", "bloomfilter:10:false");
  EXPECT_STREQ(PolicyOf(database)->Name(), "oneline");
}

// Programs without this library, which take the policy of the OPTIONS file.
TEST(BuiltinKindsTest, RocksDBsOwnProgramsWriteFilters) {
  const auto run = [](const std::string& command) {
    const Finished program = RunProgram(command);
    EXPECT_EQ(program.exit_code, 0) << command << program.out << program.err;
  };
  const std::pair<PolicyPtr, std::string> kCases[] = {
      {OfText("kind=rocksdb_bloom"), "bloomfilter"},
      {OfText("kind=rocksdb_ribbon"), "ribbonfilter"},
      {NewLevelBloomFilterPolicy(10), "bloomfilter"},
      {NewLevelRibbonFilterPolicy(10), "ribbonfilter"},
  };
  for (const auto& [policy, writer] : kCases) {
    SCOPED_TRACE(std::string(policy->Name()) + " " + writer);
    ScratchDatabase database(ExactOptions(policy), kWrittenKeys);
    database.Close();
    const std::string path = database.path();
    const std::string ldb = "ldb --db=" + path + " --try_load_options ";
    run(ldb + "put other value");
    run("db_bench --use_existing_db --num=20000 --benchmarks=overwrite,flush "
        "--options_file=" +
        NewestOptionsFile(path) + " --db=" + path);
    database.Reopen(ExactOptions(policy));
    const auto tables = database.Tables();
    EXPECT_GE(tables.size(), 3u);
    for (const auto& table : tables) {
      EXPECT_GT(table->filter_size, 0u) << table->filter_policy_name;
    }
    database.Close();
    run(ldb + "compact");
    database.Reopen(ExactOptions(policy));
    EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{writer});
    EXPECT_NEAR(database.FilterBitsPerKey(), 10, 0.2);
    ExpectFiltered(database, 0, kWrittenKeys);
  }
}

// A program keeps its options and opens again what RocksDB has saved.
TEST(BuiltinKindsTest, OptionsFitThoseOfTheFile) {
  const PolicyPtr policy = OfText("kind=rocksdb_bloom");
  const rocksdb::ConfigOptions exact;
  std::string mismatch;
  const auto fits = [&](const std::string& name) {
    return policy->AreEquivalent(exact, PolicyNamed(name).get(), &mismatch);
  };
  EXPECT_TRUE(fits("bloomfilter:10:false"));
  EXPECT_TRUE(fits("{id=oneline;bits_by_level=false;kind=rocksdb_bloom}"));
  EXPECT_FALSE(fits("bloomfilter:11:false"));
  EXPECT_FALSE(fits("ribbonfilter:10:-1"));
  EXPECT_FALSE(fits("oneline"));
  EXPECT_FALSE(policy->AreEquivalent(exact, nullptr, &mismatch));
}

}  // namespace
}  // namespace oneline
