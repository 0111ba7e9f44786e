// Holds the committed table/bloom/bloom_probes_table.h to what its generator
// prints.

#include "table/bloom/bloom_probes_table.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace oneline {
namespace {

// Bazel runs tests where these paths, from its `data`, lead to the files.
constexpr char kGenerator[] = "table/bloom/bloom_probes_gen";
constexpr char kTable[] = "table/bloom/bloom_probes_table.h";

std::string OutputOf(const char* command) {
  std::FILE* pipe = popen(command, "r");
  if (pipe == nullptr) return "popen failed";
  std::string output;
  for (int c; (c = std::getc(pipe)) != EOF;) {
    output.push_back(static_cast<char>(c));
  }
  const int status = pclose(pipe);
  EXPECT_EQ(status, 0) << command;
  return output;
}

TEST(BloomProbesTableTest, IsWhatTheGeneratorPrints) {
  std::ostringstream committed;
  committed << std::ifstream(kTable).rdbuf();
  EXPECT_FALSE(committed.str().empty()) << kTable;
  EXPECT_EQ(committed.str(), OutputOf(kGenerator))
      << "bazel run //table/bloom:bloom_probes_gen > " << kTable;
}

TEST(BloomProbesTableTest, Grows) {
  const double* table = blocked_bloom::kLeastBitsPerKey;
  for (size_t i = 1; i < std::size(blocked_bloom::kLeastBitsPerKey); ++i) {
    EXPECT_LT(table[i - 1], table[i]);
  }
}

}  // namespace
}  // namespace oneline
