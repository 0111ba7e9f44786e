// Tests of tools/database/log_file.h; those of doctor read the LOGs that
// RocksDB writes.

#include "tools/database/log_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using Policies = std::map<std::string, std::optional<std::string>>;

// The options of a family may name other caches after its block cache.
TEST(LogFileTest, TheFirstCapacityIsTheBlockCaches) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("LOG"))
      << "--------------- Options for column family [default]:\n"
         "  block_cache: 0x1234\n"
         "  block_cache_options:\n"
         "    capacity : 8388608\n"
         "    num_shard_bits : 4\n"
         "  block_cache_compressed: 0x5678\n"
         "    capacity : 4096\n"
         "    num_shard_bits : 2\n";
  const LogFile log = ReadLogs(directory.path());
  ASSERT_EQ(log.block_caches.count("default"), 1u);
  EXPECT_EQ(log.block_caches.at("default").address, "0x1234");
  EXPECT_EQ(log.block_caches.at("default").capacity, 8388608u);
  EXPECT_EQ(log.block_caches.at("default").shard_bits, 4);
}

// Families may have policies that the OPTIONS file does not name, unless
// SetOptions changes them. The LOG before this one is of another run.
TEST(LogFileTest, TheNewestLogHasTheFilterPolicies) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("LOG.old.1234567890123456"))
      << "--------------- Options for column family [old]:\n"
         "  filter_policy: oneline\n";
  EXPECT_TRUE(ReadLogs(directory.path()).filter_policies.empty());
  const std::string opened =
      "--------------- Options for column family [default]:\n"
      "  filter_policy: oneline\n"
      "--------------- Options for column family [other]:\n"
      "  filter_policy: nullptr\n";
  std::ofstream(directory.File("LOG")) << opened;
  EXPECT_EQ(ReadLogs(directory.path()).filter_policies,
            (Policies{{"default", "oneline"}, {"other", std::nullopt}}));
  std::ofstream(directory.File("LOG"))
      << opened << "SetOptions() on column family [default], inputs:\n"
      << "write_buffer_size: 1000000\n";
  EXPECT_EQ(ReadLogs(directory.path()).filter_policies.size(), 2u);
  std::ofstream(directory.File("LOG"))
      << opened << "SetOptions() on column family [default], inputs:\n"
      << "block_based_table_factory: {filter_policy=bloomfilter:10:false}\n";
  EXPECT_TRUE(ReadLogs(directory.path()).filter_policies.empty());
}

// RocksDB went on in a new LOG. It repeats options there, but not whose they
// are.
TEST(LogFileTest, TheLogBeforeOfTheSameRunHasTheFamilies) {
  const TemporaryDirectory directory;
  const std::string options =
      "  filter_policy: oneline\n"
      "  block_cache: 0x1234\n"
      "    capacity : 8388608\n";
  std::ofstream(directory.File("LOG.old.1234567890123456"))
      << "DB Session ID:  FIRST\n"
         "--------------- Options for column family [default]:\n"
      << options;
  std::ofstream(directory.File("LOG")) << "DB Session ID:  FIRST\n" << options;
  const LogFile log = ReadLogs(directory.path());
  EXPECT_EQ(log.filter_policies, (Policies{{"default", "oneline"}}));
  EXPECT_EQ(log.block_caches.count("default"), 1u);
  EXPECT_EQ(log.block_caches.size(), 1u);
  std::ofstream(directory.File("LOG")) << "DB Session ID:  SECOND\n" << options;
  EXPECT_TRUE(ReadLogs(directory.path()).filter_policies.empty());
}

}  // namespace
}  // namespace oneline
