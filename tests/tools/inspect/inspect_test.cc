// Tests of the command `oneline inspect`, run as a program on real databases.
// Its JSON is compared with the tables' properties and filter blocks.

#include "table/block/filter_block.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/run_oneline.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

Json Inspect(const std::string& arguments, int exit_code = 0) {
  return RunForJson("inspect " + arguments, exit_code);
}

// The tables of a database with one column family.
Json TablesOf(const Json& json) { return json["column_families"][0]["tables"]; }

class InspectLayoutTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(All, InspectLayoutTest,
                         testing::ValuesIn(LayoutsOnDisk()), LayoutName);

TEST_P(InspectLayoutTest, OurFiltersAreDescribed) {
  const TableLayout& layout = GetParam();
  ScratchDatabase database(OptionsFor(layout, PolicyFor(layout, 6)), 8000);
  const std::string file = database.TableFiles()[0];
  const std::vector<std::string> blocks = BlocksOf(file);
  uint64_t bytes = 0, lines = 0;
  double passing = 0;
  for (const std::string& block : blocks) {
    bytes += block.size();
    lines += DecodeTrailer(block)->num_lines;
    passing += BlockFpRate(block) * static_cast<double>(block.size());
  }
  const double predicted = passing / static_cast<double>(bytes);

  const Json json = Inspect("--probes=200000 " + database.path());
  ASSERT_EQ(TablesOf(json).size(), 1u);
  const Json table = TablesOf(json)[0];
  EXPECT_EQ(table["file"], file);
  EXPECT_EQ(table["level"], 0);
  EXPECT_EQ(table["filter"], layout.bloom ? "bloom" : "ribbon");
  const uint64_t keys = database.Tables()[0]->num_filter_entries;
  EXPECT_EQ(table["keys"], keys);
  EXPECT_EQ(table["filter_bytes"], bytes);
  EXPECT_NEAR(table["bits_per_key"].number(),
              8.0 * static_cast<double>(bytes) / keys, 1e-9);
  EXPECT_NEAR(table["predicted_fp_rate"].number(), predicted, 1e-9);
  EXPECT_EQ(table["random_keys"], 200000);
  // Within five standard deviations.
  EXPECT_NEAR(table["measured_fp_rate"].number(), predicted,
              5 * std::sqrt(predicted / 200000));
  EXPECT_EQ(table["partitions"], layout.partitioned ? blocks.size() : 0);
  EXPECT_EQ(table["lines"], lines);
  EXPECT_EQ(table["seeds"].size(), 1u);
  EXPECT_EQ(table["asked_bits_per_key"], 6);
  EXPECT_EQ(table["written_level"], 0);
}

TEST(InspectTest, RocksDBsFiltersAreDescribed) {
  for (const auto& [policy, partitioned, kind] :
       {std::tuple("bloomfilter:10:false", true, "RocksDB Bloom"),
        {"ribbonfilter:10:-1", false, "RocksDB Ribbon"}}) {
    SCOPED_TRACE(policy);
    ScratchDatabase database(
        OptionsFor(partitioned ? "Partitioned" : "Full", PolicyNamed(policy)),
        20000);
    const Json table = TablesOf(Inspect(database.path()))[0];
    EXPECT_EQ(table["filter"], kind);
    EXPECT_EQ(table["keys"], 10000);
    EXPECT_EQ(table["partitions"],
              partitioned ? BlocksOf(database.TableFiles()[0]).size() : 0);
    // filter_rate_test.cc holds the first to the second.
    for (const char* rate : {"predicted_fp_rate", "measured_fp_rate"}) {
      EXPECT_NEAR(table[rate].number(), 0.0085, 0.003) << rate;
    }
    for (const char* ours_only : {"asked_bits_per_key", "written_level"}) {
      EXPECT_EQ(table[ours_only], nullptr) << ours_only;
    }
  }
}

TEST(InspectTest, LevelsAddUp) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.target_file_size_base = 20000;
  options.compression = rocksdb::kLZ4Compression;
  ScratchDatabase database(options, 20000);
  database.CompactAll();
  database.WriteTable(0, 1000);
  database.WriteTable(1000, 2000);
  database.WriteFamily("no filter", OptionsWith(nullptr), 1);

  const Json json = Inspect(database.path());
  ASSERT_EQ(json["column_families"].size(), 2u);
  const Json ours = json["column_families"][0];
  const Json none = json["column_families"][1];
  EXPECT_EQ(ours["name"], "default");
  ASSERT_EQ(ours["levels"].size(), 2u);
  EXPECT_EQ(ours["levels"][0]["tables"], 2);
  EXPECT_EQ(ours["levels"][0]["keys"], 1000);
  EXPECT_EQ(ours["levels"][1]["keys"], 10000);
  EXPECT_GT(ours["levels"][1]["tables"], 3);
  EXPECT_EQ(ours["total"]["keys"], 11000);
  EXPECT_EQ(ours["total"]["level"], nullptr);
  // Rates are means, weighted by keys.
  for (const char* rate : {"predicted_fp_rate", "measured_fp_rate"}) {
    double sum = 0;
    for (const Json& table : ours["tables"].elements()) {
      sum += table["keys"].number() * table[rate].number();
    }
    EXPECT_NEAR(ours["total"][rate].number(), sum / 11000, 1e-9);
  }
  EXPECT_EQ(none["name"], "no filter");
  EXPECT_EQ(none["tables"][0]["filter"], "none");
  EXPECT_EQ(none["tables"][0]["predicted_fp_rate"], nullptr);
  EXPECT_EQ(none["total"]["predicted_fp_rate"], 1);

  const std::string text = RunOneline("inspect " + database.path()).out;
  EXPECT_TRUE(
      ContainsAll(text, {"Column family default\n", "Column family no filter\n",
                         "\nL0 ", "\nall ", "ribbon"}));
}

// A table that a compaction wrote to level 1, and that RocksDB then moved to
// level 3 as it was, and one that a flush wrote.
TEST(InspectTest, TablesSayWhereTheyWereWritten) {
  ScratchDatabase database(OptionsWith(OurPolicy(7.25)), 2000);
  rocksdb::CompactRangeOptions to_level_3;
  to_level_3.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForce;
  to_level_3.change_level = true;
  to_level_3.target_level = 3;
  ASSERT_TRUE(database->CompactRange(to_level_3, nullptr, nullptr).ok());
  database.WriteTable(2000, 4000);

  const Json tables = TablesOf(Inspect(database.path()));
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0]["level"], 0);
  EXPECT_EQ(tables[0]["written_level"], 0);
  EXPECT_EQ(tables[1]["level"], 3);
  EXPECT_EQ(tables[1]["written_level"], 1);
  const std::string text = RunOneline("inspect " + database.path()).out;
  EXPECT_TRUE(ContainsAll(
      text, {"partitions    asked  written to  seed\n",
             " -     7.25  L0          0x", " -     7.25  L1          0x"}));
}

TEST(InspectTest, DamageIsShownAndTheRestToo) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 3; ++i) database.WriteTable(5000 * i, 5000 * i + 2000);
  const std::vector<std::string> files = database.TableFiles();
  database.Close();
  FlipByte(files[1], OffsetIn(files[1], BlocksOf(files[1]).back()) + 7);
  std::filesystem::remove(files[2]);
  const Json json = Inspect(database.path(), /*exit_code=*/1);
  const Json tables = TablesOf(json);
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0]["filter"], "ribbon");
  EXPECT_EQ(tables[1]["filter"], "damaged");
  EXPECT_TRUE(Contains(tables[1]["message"].text(), "checksum mismatch"));
  EXPECT_EQ(tables[2]["filter"], "missing");
  EXPECT_EQ(json["column_families"][0]["total"]["unreadable"], 2);
  const std::string text = RunOneline("inspect " + database.path()).out;
  EXPECT_TRUE(Contains(text, files[1] + ": damaged: "));
}

// The mean length of keys comes from the properties. If they were believed, the
// keys to probe with would have 268 MB each.
TEST(InspectTest, PropertiesMayTellAnyLengthOfKeys) {
  rocksdb::BlockBasedTableOptions table;
  table.checksum = rocksdb::kNoChecksum;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(IsOk(database->Put(rocksdb::WriteOptions(),
                                   std::string(65536, 'k') + KeyAt(i), "v")));
  }
  ASSERT_TRUE(database->Flush(rocksdb::FlushOptions()).ok());
  const std::string file = database.TableFiles().at(0);
  // The ends of "rocksdb.raw.key.size" and "rocksdb.num.entries", which the
  // values follow, as they are and as the largest and least of their lengths.
  const std::string size_name = "raw.key.size", entries_name = "entries";
  const size_t size_at = OffsetIn(file, size_name) + size_name.size();
  const size_t entries_at = OffsetIn(file, entries_name) + entries_name.size();
  const std::string contents = ReadWholeFile(file);
  ASSERT_EQ(contents[entries_at], 40);
  ASSERT_EQ(contents[size_at + 3] & 0x80, 0) << "the length of the number";
  Overwrite(file, size_at, "\xff\xff\xff\x7f");
  Overwrite(file, entries_at, "\x01");
  const Json json = Inspect("--probes=1000 " + file);
  EXPECT_EQ(TablesOf(json)[0]["random_keys"], 1000);
}

}  // namespace
}  // namespace oneline
