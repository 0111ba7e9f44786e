// Tests of bench/urls/crawled_urls.cc.

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

TEST(CrawledUrlsTest, HalfOfThemAreNewInEveryPart) {
  const std::string out = RunProgram("bench/urls/crawled_urls 20001").out;
  std::istringstream lines(out);
  std::set<std::string> different;
  int num_lines = 0;
  for (std::string line; std::getline(lines, line); ++num_lines) {
    different.insert(line);
    EXPECT_EQ(line.find("https://www."), 0u);
    EXPECT_TRUE(line.size() >= 60 && line.size() <= 80) << line;
    if (num_lines == 10000) {
      EXPECT_NEAR(static_cast<double>(different.size()), 5000, 400);
    }
  }
  EXPECT_EQ(num_lines, 20001);
  EXPECT_EQ(different.size(), 10001u);
  EXPECT_TRUE(RunProgram("bench/urls/crawled_urls 20001").out == out);
}

TEST(CrawledUrlsTest, NeedsANumber) {
  for (const char* arguments : {"", " 0", " 5x", " 1 2"}) {
    const Finished run =
        RunProgram("bench/urls/crawled_urls" + std::string(arguments));
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.err, "usage: crawled_urls LINES\n");
  }
}

}  // namespace
}  // namespace oneline
