// Tests of tools/database/log_file.h with made LOGs; those of doctor read the
// LOGs that RocksDB writes.

#include "tools/database/log_file.h"

#include "tests/testing.h"

namespace oneline {
namespace {

using Policies = std::map<std::string, std::string>;

constexpr char kFirst[] = "2026/11/24-11:20:24",
               kSecond[] = "2026/11/24-11:30:24",
               kThird[] = "2026/11/24-11:40:24";

std::string Begin(const std::string& family) {
  return "--------------- Options for column family [" + family + "]:\n";
}

class LogFileTest : public testing::Test {
 protected:
  void Write(const std::string& text, const std::string& name = "LOG") {
    std::ofstream(directory_.File(name)) << text;
  }
  LogFile Read() const { return ReadLogs(directory_.path()); }
  std::optional<LookupStatistics> Statistics(const std::string& log) {
    Write(log);
    return Read().statistics;
  }

  const TemporaryDirectory directory_;
};

// The options of a family may name other caches after its block cache.
TEST_F(LogFileTest, TheFirstCapacityIsTheBlockCaches) {
  Write(Begin("default") +
        "  block_cache: 0x1234\n"
        "  block_cache_options:\n"
        "    capacity : 8388608\n"
        "    num_shard_bits : 4\n"
        "  block_cache_compressed: 0x5678\n"
        "    capacity : 4096\n"
        "    num_shard_bits : 2\n");
  const LogFile log = Read();
  ASSERT_EQ(log.block_caches.size(), 1u);
  const BlockCache& cache = log.block_caches.at("default");
  EXPECT_EQ(cache.address, "0x1234");
  EXPECT_EQ(cache.capacity, 8388608u);
  EXPECT_EQ(cache.shard_bits, 4);
}

// Families may have policies that the OPTIONS file does not name, unless
// SetOptions changes them. The LOG before this one is of another run.
TEST_F(LogFileTest, TheNewestLogHasTheFilterPolicies) {
  Write(Begin("old") + "  filter_policy: oneline\n", "LOG.old.17");
  EXPECT_EQ(Read().filter_policies, Policies{});
  const std::string opened = Begin("default") + "  filter_policy: oneline\n" +
                             Begin("other") + "  filter_policy: nullptr\n";
  const Policies policies = {{"default", "oneline"}, {"other", "nullptr"}};
  Write(opened);
  EXPECT_EQ(Read().filter_policies, policies);
  Write(opened + "write_buffer_size: 1000000\n");
  EXPECT_EQ(Read().filter_policies, policies);
  Write(opened + "block_based_table_factory: {filter_policy=oneline:9}\n");
  EXPECT_EQ(Read().filter_policies, Policies{});
}

// RocksDB went on in a new LOG. It repeats options there, but not whose they
// are.
TEST_F(LogFileTest, TheLogBeforeOfTheSameRunHasTheFamilies) {
  const std::string options =
      "  filter_policy: oneline\n"
      "  block_cache: 0x1234\n"
      "    capacity : 8388608\n";
  Write("DB Session ID:  FIRST\n" + Begin("default") + options, "LOG.old.17");
  Write("DB Session ID:  FIRST\n" + options);
  EXPECT_EQ(Read().filter_policies, (Policies{{"default", "oneline"}}));
  EXPECT_EQ(Read().block_caches.count("default"), 1u);
  Write("DB Session ID:  SECOND\n" + options);
  EXPECT_EQ(Read().filter_policies, Policies{});
}

std::string Dump(const std::string& time, int gets, int seeks = 0,
                 int useful = 0) {
  return time +
         ".123456 777 [db/db_impl/db_impl.cc:788] STATISTICS:\n"
         " rocksdb.block.cache.miss COUNT : 3305\n"
         "rocksdb.bloom.filter.useful COUNT : " +
         std::to_string(useful) +
         "\nrocksdb.number.keys.read COUNT : " + std::to_string(gets - 1) +
         "\nrocksdb.number.multiget.keys.read COUNT : 1\n"
         "rocksdb.number.keys.readahead COUNT : 7\n"
         "rocksdb.number.db.seek COUNT : " +
         std::to_string(seeks) +
         "\nrocksdb.db.get.micros P50 : 1.000000 COUNT : 5 SUM : 9\n" + time +
         ".133456 777 other rocksdb.number.keys.read COUNT : 99\n"
         "rocksdb.number.keys.read COUNT : 98\n";
}

TEST_F(LogFileTest, ASampleIsTheNewestThatIsLargeEnough) {
  EXPECT_FALSE(Statistics(Dump(kFirst, 50000, 49999)).has_value());
  struct Case {
    std::string log, begin;
    uint64_t lookups, useful;
  };
  for (const Case& c : std::vector<Case>{
           {Dump(kFirst, 50000, 50000, 7), "", 50000, 7},
           {Dump(kFirst, 500000) + Dump(kSecond, 600000) +
                Dump(kThird, 700000, 0, 3),
            kSecond, 100000, 3},
           {Dump(kFirst, 500000) + Dump(kSecond, 600001) +
                Dump(kThird, 700000, 0, 3),
            kFirst, 200000, 3},
           // The program began its statistics anew.
           {Dump(kFirst, 500000, 0, 900) + Dump(kSecond, 100000, 0, 5) +
                Dump(kThird, 150000, 0, 6),
            "", 150000, 6}}) {
    const auto sample = Statistics(c.log);
    ASSERT_TRUE(sample.has_value());
    EXPECT_EQ(sample->begin, c.begin);
    EXPECT_EQ(sample->lookups, c.lookups);
    EXPECT_EQ(sample->useful, c.useful);
  }
}

TEST_F(LogFileTest, ASampleKnowsTheTablesThatWereWrittenMeanwhile) {
  const auto table = [](const std::string& number) {
    return "... EVENT_LOG_v1 {\"job\": 3, \"event\": \"table_file_creation\", "
           "\"file_number\": " +
           number + ", \"file_size\": 7}\n";
  };
  EXPECT_EQ(
      Statistics(table("9") + Dump(kFirst, 500000) + table("12") +
                 Dump(kSecond, 560000) + table("11") + Dump(kThird, 620000))
          ->first_new_table,
      11u);
  EXPECT_EQ(Statistics(Dump(kFirst, 500000) + Dump(kSecond, 600000) +
                       table("13") + table("14"))
                ->first_new_table,
            13u);
  EXPECT_EQ(
      Statistics(table("9") + Dump(kFirst, 500000) + Dump(kSecond, 600000))
          ->first_new_table,
      std::numeric_limits<uint64_t>::max());
}

// A program that was begun anew has not written any yet.
TEST_F(LogFileTest, ThreeOlderLogsCountUntilANewerOneHasStatistics) {
  const std::string none = "2026/11/24-11:50:24 RocksDB version: 7.8.3\n";
  Write(Dump(kFirst, 300000), "LOG.old.8");
  Write(Dump(kSecond, 200000), "LOG.old.9");
  EXPECT_EQ(Statistics(none)->end, kSecond);
  EXPECT_FALSE(Read().statistics->is_of_newest_log);
  for (const char* newer : {"LOG.old.10", "LOG.old.11"}) Write(none, newer);
  EXPECT_EQ(Read().statistics->end, kSecond);
  Write(none, "LOG.old.12");
  EXPECT_FALSE(Read().statistics.has_value());
  EXPECT_EQ(Statistics(Dump(kThird, 200000))->end, kThird);
}

TEST(LookupStatisticsTest, SharesNeedEnoughLookups) {
  LookupStatistics sample;
  sample.lookups = 200000;
  sample.memtable_hits = 20000;
  sample.level0_hits = 30000;
  sample.level1_hits = 50000;
  sample.lower_hits = 90000;
  EXPECT_DOUBLE_EQ(*sample.hits(2), 0.9);
  EXPECT_DOUBLE_EQ(*sample.hits(1), 14. / 15);
  EXPECT_DOUBLE_EQ(*sample.hits(0), 17. / 18);
  ++sample.level1_hits;
  EXPECT_FALSE(sample.hits(2).has_value());
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
  EXPECT_EQ(sample.hits(2), 1);
}

}  // namespace
}  // namespace oneline
