// `oneline advise` on what reads of each level cost: from the LOG of a database
// whose counters are known, and from damaged ones.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "tests/test_seed.h"
#include "tests/tools/advise/advise_database.h"

namespace oneline {
namespace {

using rocksdb::DB;

// The blocks of level 4 do not fit into the block cache, those of the other
// levels do.
rocksdb::Options Settings() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(200 << 10, /*num_shard_bits=*/0);
  rocksdb::Options options = OptionsWith(PolicyNamed("oneline:4"), table);
  options.stats_dump_period_sec = 1;
  return options;
}

class AdviseReadCostsTest : public AdviseTest {
 protected:
  // The LOG of a program that looks up keys of level 2, present keys of level
  // 4, and absent ones.
  void MakeLog() {
    Make("oneline:4");
    database_->Reopen(Settings());
    std::string value;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < kLastKey; i += 2) {
        ASSERT_TRUE(
            (*database_)->Get({}, KeyAt(i * 10 % kLastKey), &value).ok());
        ASSERT_TRUE((*database_)->Get({}, KeyAt(i), &value).ok());
        (*database_)->Get({}, KeyAt(i + 1), &value);
      }
    }
    lookups_ = database_->Ticker(rocksdb::NUMBER_KEYS_READ);
    ASSERT_TRUE(
        (*database_)
            ->GetProperty(DB::Properties::kCFFileHistogram, &histograms_));
    WaitForDump();
    database_->Close();
  }

  // Until the LOG has the last counts.
  void WaitForDump() {
    const std::string last =
        "rocksdb.number.keys.read COUNT : " + std::to_string(lookups_) + "\n";
    const auto log = (*database_)->GetDBOptions().info_log;
    for (int i = 0; i < 300; ++i) {
      rocksdb::LogFlush(log);
      if (ReadWholeFile(path() + "/LOG").find(last) != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  uint64_t lookups_ = 0;
  std::string histograms_;
};

// The numbers after a level's header in the text of the property.
std::string Numbers(const std::string& histograms, int level) {
  const std::string header = "** Level " + std::to_string(level) +
                             " read latency histogram (micros):\n";
  const size_t at = histograms.find(header);
  if (at == std::string::npos) return "";
  const size_t begin = at + header.size();
  return histograms.substr(begin, histograms.find('\n', begin) - begin);
}

TEST_F(AdviseReadCostsTest, AreThoseOfTheCounters) {
  MakeLog();
  const json advice = Advise(path(), "");
  const json& costs = advice["read_costs"];
  ASSERT_FALSE(costs.is_null()) << advice["remarks"];
  EXPECT_TRUE(costs["only_lookups"]);
  ASSERT_EQ(costs["levels"].size(), 3u);
  double blocks = 0;
  for (const json& level : costs["levels"]) {
    std::istringstream numbers(Numbers(histograms_, level["level"]));
    std::string word;
    double count = 0, average = 0;
    numbers >> word >> count >> word >> average;
    EXPECT_GT(count, 0);
    EXPECT_EQ(level["file_reads"], count);
    EXPECT_EQ(level["micros_per_file_read"], average);
    const double of_level = level["blocks"];
    blocks += of_level;
    // What is left is the time to search a block.
    const double search = level["micros"].get<double>() -
                          average * std::min(count / of_level, 1.0);
    EXPECT_NEAR(search, 2, 1e-6);
  }
  const json& counted = advice["statistics"];
  const double positives = counted["filter_positives"];
  EXPECT_NEAR(blocks, positives, 0.001 * positives);
  // Two of three keys are present, half of these in level 4 or above.
  EXPECT_LT(costs["levels"][2]["asked"], costs["levels"][0]["asked"]);
  EXPECT_NEAR(costs["levels"][2]["asked"], 1.0 / 3, 0.01);
  const Finished text = RunProgram(Command(path(), ""));
  EXPECT_NE(text.out.find("last_level_cost="), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("us/wasted"), std::string::npos) << text.out;
}

TEST_F(AdviseReadCostsTest, WithoutThemItSaysHowToGetThem) {
  Make("oneline:10");
  EXPECT_TRUE(Advise(path(), "")["read_costs"].is_null());
  const Finished text = RunProgram(Command(path(), ""));
  EXPECT_NE(text.out.find("DBOptions::statistics"), std::string::npos)
      << text.out;
  std::filesystem::remove(path() + "/LOG");
  EXPECT_TRUE(Advise(path(), "")["read_costs"].is_null());
}

TEST_F(AdviseReadCostsTest, ADamagedLogDoesNoHarm) {
  MakeLog();
  const std::string log = ReadWholeFile(path() + "/LOG");
  const size_t begin = log.rfind("** File Read Latency Histogram By Level");
  ASSERT_NE(begin, std::string::npos);
  const auto write = [&](const std::string& text) {
    std::ofstream(path() + "/LOG", std::ios::binary) << text;
  };
  // Without the histograms, nothing is known.
  std::string without = log;
  for (size_t at;
       (at = without.find(" read latency histogram")) != std::string::npos;) {
    without.replace(at, 5, " lost");
  }
  write(without);
  EXPECT_TRUE(Advise(path(), "")["read_costs"].is_null());
  EXPECT_FALSE(Advise(path(), "")["statistics"].is_null());
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 10; ++i) {
    std::string damaged = log;
    for (int j = 0; j < 200; ++j) {
      damaged[begin + random() % (log.size() - begin)] =
          static_cast<char>(random());
    }
    if (i % 2 == 0) damaged.resize(begin + random() % (log.size() - begin));
    write(damaged);
    Advise(path(), "");
  }
}

TEST_F(AdviseReadCostsTest, TheProposalGoesByTheCost) {
  Make("oneline:10");
  const json even = Advise(path(), "");
  const json costly = Advise(path(), "--last_level_cost=50");
  EXPECT_NEAR(costly["proposed"]["memory"], even["proposed"]["memory"], 30);
  const auto bits = [](const json& advice, int level) -> double {
    return advice["column_families"][0]["levels"][level]["proposed"]
                 ["bits_per_key"];
  };
  EXPECT_GT(bits(costly, 2), bits(even, 2) + 0.3);
  EXPECT_LT(bits(costly, 1), bits(even, 1) - 1);
  EXPECT_LT(bits(costly, 0), bits(even, 0) - 1);
  // Fewer of the reads that cost 50, more of the others.
  const auto cost_of = [](const json& advice) {
    double cost = 0;
    for (const json& level : advice["column_families"][0]["levels"]) {
      cost += (level["level"] == 4 ? 50 : 1) *
              level["proposed"]["wasted_reads"].get<double>();
    }
    return cost;
  };
  EXPECT_NEAR(costly["proposed"]["read_cost"], cost_of(costly), 1e-9);
  EXPECT_LT(cost_of(costly), 0.95 * cost_of(even));
  EXPECT_GT(costly["proposed"]["wasted_reads"],
            even["proposed"]["wasted_reads"]);
  EXPECT_EQ(even["proposed"]["read_cost"], even["proposed"]["wasted_reads"]);
  const Finished text = RunProgram(Command(path(), "--last_level_cost=50"));
  EXPECT_NE(text.out.find("counted as 50: "), std::string::npos) << text.out;
}

// The policy's own cost holds if none is given.
TEST_F(AdviseReadCostsTest, ThePolicysCostIsTheDefault) {
  Make("{id=oneline;allocation=monkey;last_level_cost=50}");
  const json advice = Advise(path(), "");
  EXPECT_EQ(advice["proposed"]["read_cost"],
            Advise(path(), "--last_level_cost=50")["proposed"]["read_cost"]);
  EXPECT_GT(advice["proposed"]["read_cost"],
            2 * advice["proposed"]["wasted_reads"].get<double>());
  const std::string proposal = advice["column_families"][0]["proposed"];
  EXPECT_NE(proposal.find("last_level_cost=50"), std::string::npos) << proposal;
  // Bits by level exclude the option, and have the cost in them.
  const std::string by_level =
      Advise(path(), "--memory=9kB")["column_families"][0]["proposed"];
  EXPECT_NE(by_level.find("level_bits_per_key"), std::string::npos) << by_level;
  EXPECT_EQ(by_level.find("last_level_cost"), std::string::npos) << by_level;
}

TEST_F(AdviseReadCostsTest, ItsSetOptionsChangeTheCost) {
  Make("oneline:10");
  const json advice = Advise(path(), "--last_level_cost=50");
  const std::string call = advice["column_families"][0]["set_options"];
  EXPECT_NE(call.find("{\"table_factory.filter_policy.last_level_cost\", "
                      "\"50\"}"),
            std::string::npos)
      << call;
  EXPECT_EQ(Advise(path(), "")["column_families"][0]["set_options"]
                .get<std::string>()
                .find("last_level_cost"),
            std::string::npos);
}

TEST_F(AdviseReadCostsTest, AWrongCostIsAnError) {
  Make("oneline:10");
  for (const char* cost : {"0", "0.009", "1001", "nan", "-1"}) {
    ExpectRefused(path(), std::string("--last_level_cost=") + cost,
                  "must be a number from 0.01 to 1000");
  }
  ExpectRefused(path(), "--last_level_cost=disk", "last_level_cost");
}

}  // namespace
}  // namespace oneline
