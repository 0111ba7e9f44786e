// Tests of tools/database/level_reads_log.h on made and damaged text.
// advise_test.cc has the LOG of a database.

#include "tools/database/level_reads_log.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

#include "tests/test_seed.h"

namespace oneline {
namespace {

LevelReads Read(const std::string& text) {
  LevelReadsReader reader;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) reader.ReadLine(line);
  return reader.last_dump();
}

constexpr char kHeader[] = "2026/11/22-13:02 7 ------- DUMPING STATS -------\n";

std::string Histogram(const std::string& family, const std::string& level,
                      const std::string& numbers) {
  return "\n** File Read Latency Histogram By Level [" + family + "] **\n" +
         "** Level " + level + " read latency histogram (micros):\n" + numbers +
         "\nMin: 2  Median: 18.0000  Max: 45\n[ 1, 2 ] 1 2.000% 2.000%\n";
}

TEST(LevelReadsLogTest, EachFamilyAndLevelHasItsReads) {
  const LevelReads reads = Read(
      kHeader + Histogram("default", "0", "Count: 5 Average: 2.5  StdDev: 1") +
      "** Level 6 read latency histogram (micros):\n"
      "Count: 90091 Average: 170.1434  StdDev: 680.78\n" +
      Histogram("a] **", "3", "Count: 1 Average: 7.0000  StdDev: 0.00"));
  ASSERT_EQ(reads.size(), 2u);
  ASSERT_EQ(reads.at("default").size(), 2u);
  EXPECT_EQ(reads.at("default").at(0).count, 5u);
  EXPECT_EQ(reads.at("default").at(0).micros, 2.5);
  EXPECT_EQ(reads.at("default").at(6).count, 90091u);
  EXPECT_EQ(reads.at("default").at(6).micros, 170.1434);
  EXPECT_EQ(reads.at("a] **").at(3).count, 1u);
}

TEST(LevelReadsLogTest, ANewDumpReplacesTheOldOne) {
  const std::string old =
      kHeader + Histogram("a", "0", "Count: 5 Average: 2.5  StdDev: 1");
  EXPECT_EQ(Read(old + kHeader).size(), 0u);
  const LevelReads reads = Read(
      old + kHeader + Histogram("a", "1", "Count: 6 Average: 2.5  StdDev: 1"));
  ASSERT_EQ(reads.at("a").size(), 1u);
  EXPECT_EQ(reads.at("a").at(1).count, 6u);
}

TEST(LevelReadsLogTest, WhatIsNoNumberIsLeftOut) {
  for (const char* numbers :
       {"", "Count: 5", "Count: 5 Average:", "Count: -5 Average: 1",
        "Count: x Average: 1", "Count: 5 Average: x", "Count: 5 Average: nan",
        "Count: 5 Average: inf", "Count: 5 Average: -1", "Sum: 5 Average: 1",
        "Count: 99999999999999999999 Average: 1",
        "** Level 4 read latency histogram (micros):"}) {
    EXPECT_TRUE(Read(Histogram("a", "0", numbers)).empty()) << numbers;
  }
  for (const char* level : {"", "-1", "x", "1.5", "99999999999"}) {
    EXPECT_TRUE(
        Read(Histogram("a", level, "Count: 5 Average: 2.5  StdDev: 1")).empty())
        << level;
  }
}

TEST(LevelReadsLogTest, TextThatIsCutOrDamagedDoesNoHarm) {
  const std::string text =
      kHeader + Histogram("a", "0", "Count: 5 Average: 2.5  StdDev: 1");
  for (size_t size = 0; size <= text.size(); ++size) {
    Read(text.substr(0, size));
  }
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    damaged[random() % text.size()] = static_cast<char>(random());
    for (const auto& [family, levels] : Read(damaged)) {
      for (const auto& [level, reads] : levels) {
        EXPECT_GE(level, 0);
        EXPECT_GE(reads.micros, 0);
      }
    }
  }
}

}  // namespace
}  // namespace oneline
