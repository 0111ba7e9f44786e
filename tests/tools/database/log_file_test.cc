// Tests of tools/database/log_file.h; those of doctor read the LOGs that
// RocksDB writes.

#include "tools/database/log_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// The options of a family may name other caches after its block cache.
TEST(LogFileTest, TheFirstCapacityIsTheBlockCaches) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("LOG"))
      << "--------------- Options for column family [default]:\n"
         "  block_cache: 0x1234\n"
         "  block_cache_options:\n"
         "    capacity : 8388608\n"
         "  block_cache_compressed: 0x5678\n"
         "    capacity : 4096\n";
  const LogFile log = ReadLogs(directory.path());
  ASSERT_EQ(log.block_caches.count("default"), 1u);
  EXPECT_EQ(log.block_caches.at("default").address, "0x1234");
  EXPECT_EQ(log.block_caches.at("default").capacity, 8388608u);
}

}  // namespace
}  // namespace oneline
