// Tests of tools/database/log_statistics.h with made LOGs. Those of doctor read
// what RocksDB writes: statistics_checker_test.cc.

#include "tools/database/log_statistics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

std::string Dump(const std::string& time, int gets, int seeks = 0,
                 int useful = 0) {
  return time +
         ".123456 777 [db/db_impl/db_impl.cc:788] STATISTICS:\n"
         " rocksdb.block.cache.miss COUNT : 3305\n"
         "rocksdb.bloom.filter.useful COUNT : " +
         std::to_string(useful) +
         "\nrocksdb.number.keys.read COUNT : " + std::to_string(gets) +
         "\nrocksdb.number.keys.readahead COUNT : 7\n"
         "rocksdb.number.db.seek COUNT : " +
         std::to_string(seeks) +
         "\nrocksdb.db.get.micros P50 : 1.000000 COUNT : 5 SUM : 9\n" + time +
         ".133456 777 other rocksdb.number.keys.read COUNT : 99\n"
         "rocksdb.number.keys.read COUNT : 98\n";
}

const char kFirst[] = "2026/11/24-11:20:24";
const char kSecond[] = "2026/11/24-11:30:24";
const char kThird[] = "2026/11/24-11:40:24";

TEST(LogStatisticsTest, ASampleIsTheNewestThatIsLargeEnough) {
  const TemporaryDirectory directory;
  const auto read = [&](const std::string& log) {
    std::ofstream(directory.File("LOG")) << log;
    return ReadLookupStatistics(directory.path(), /*max_logs=*/1);
  };
  EXPECT_FALSE(read(Dump(kFirst, 50000, 49999)).has_value());

  const auto whole = read(Dump(kFirst, 50000, 50000, 7));
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->begin, "");
  EXPECT_EQ(whole->end, kFirst);
  EXPECT_EQ(whole->gets, 50000u);
  EXPECT_EQ(whole->seeks, 50000u);
  EXPECT_EQ(whole->useful, 7u);

  const auto last = read(Dump(kFirst, 500000) + Dump(kSecond, 600000) +
                         Dump(kThird, 700000, 0, 3));
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->begin, kSecond);
  EXPECT_EQ(last->gets, 100000u);
  EXPECT_EQ(last->useful, 3u);

  const auto longer =
      read(Dump(kFirst, 500000) + Dump(kSecond, 600001) + Dump(kThird, 700000));
  ASSERT_TRUE(longer.has_value());
  EXPECT_EQ(longer->begin, kFirst);
  EXPECT_EQ(longer->gets, 200000u);

  // Tables 12 and 11 were written within the last sample.
  const auto table = [](const std::string& number) {
    return "... EVENT_LOG_v1 {\"time_micros\": 5, \"cf_name\": \"default\", "
           "\"job\": 3, \"event\": \"table_file_creation\", "
           "\"file_number\": " +
           number + ", \"file_size\": 7}\n";
  };
  EXPECT_EQ(read(table("9") + Dump(kFirst, 500000) + table("12") +
                 Dump(kSecond, 560000) + table("11") + Dump(kThird, 620000))
                ->first_new_table,
            11u);
  EXPECT_EQ(read(table("9") + Dump(kFirst, 500000) + Dump(kSecond, 600000))
                ->first_new_table,
            std::numeric_limits<uint64_t>::max());

  // The program began its statistics anew.
  const auto anew =
      read(Dump(kFirst, 500000, 0, 900) + Dump(kSecond, 100000, 0, 5) +
           Dump(kThird, 150000, 0, 6));
  ASSERT_TRUE(anew.has_value());
  EXPECT_EQ(anew->begin, "");
  EXPECT_EQ(anew->gets, 150000u);
  EXPECT_EQ(anew->useful, 6u);
}

// A program that was begun anew has not written any yet.
TEST(LogStatisticsTest, OlderLogsCountUntilANewerOneHasSome) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("LOG"))
      << "2026/11/24-11:50:24 RocksDB version: 7.8.3\n";
  std::ofstream(directory.File("LOG.old.1795519224000002"))
      << Dump(kSecond, 200000);
  std::ofstream(directory.File("LOG.old.1795519224000001"))
      << Dump(kFirst, 300000);
  const auto read = [&](size_t max_logs) {
    return ReadLookupStatistics(directory.path(), max_logs);
  };
  EXPECT_FALSE(read(1).has_value());
  EXPECT_EQ(read(3)->end, kSecond);
  std::ofstream(directory.File("LOG")) << Dump(kThird, 200000);
  EXPECT_EQ(read(3)->end, kThird);
}

TEST(LogStatisticsTest, SharesNeedEnoughLookups) {
  LookupStatistics sample;
  sample.gets = 150000;
  sample.multiget_keys = 50000;
  sample.memtable_hits = 20000;
  sample.level0_hits = 30000;
  sample.level1_hits = 50000;
  sample.lower_hits = 90000;
  EXPECT_DOUBLE_EQ(*sample.hits(), 0.9);
  EXPECT_DOUBLE_EQ(*sample.hits(3), 0.9);
  EXPECT_DOUBLE_EQ(*sample.hits(1), 14. / 15);
  EXPECT_DOUBLE_EQ(*sample.hits(0), 17. / 18);
  ++sample.level1_hits;
  EXPECT_FALSE(sample.hits().has_value());

  sample.useful = 99000;
  sample.positive = 3000;
  sample.true_positive = 2000;
  EXPECT_DOUBLE_EQ(*sample.fp_rate(), 0.01);
  --sample.useful;
  EXPECT_FALSE(sample.fp_rate().has_value());
  // Counters are not read at the same moment.
  sample.useful = 200000;
  sample.positive = 1999;
  EXPECT_EQ(sample.fp_rate(), 0);
  sample.level1_hits = 0;
  sample.lower_hits = 150001;
  EXPECT_EQ(sample.hits(), 1);
}

}  // namespace
}  // namespace oneline
