// The filter blocks of a table file, for tests that damage or probe them.

#ifndef ONELINE_TESTS_TOOLS_FILTER_BLOCKS_H_
#define ONELINE_TESTS_TOOLS_FILTER_BLOCKS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/sst/sst_reader.h"

namespace oneline {

// The blocks in key order. Fails the test if the file can't be read.
inline std::vector<std::string> BlocksOf(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? (*table)->filter_blocks() : std::vector<std::string>();
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_FILTER_BLOCKS_H_
