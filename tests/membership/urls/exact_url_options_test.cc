// Tests of membership/urls/exact_url_options.h: the options keep the database
// within the memory given. tests/tools/sieve/sieve_memory_test.cc measures a
// program.

#include "membership/urls/exact_url_options.h"

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // Cache, since RocksDB 8
#endif
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

namespace oneline {
namespace {

const rocksdb::BlockBasedTableOptions& TableOf(
    const rocksdb::ColumnFamilyOptions& family) {
  return *family.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
}

TEST(ExactUrlOptionsTest, AllMemoryIsOfOneCacheAndTheFilterIsOurs) {
  constexpr size_t kMemory = size_t{8} << 20;
  const UrlDatabaseOptions options = OptionsWithin(kMemory, nullptr);
  for (const auto& family : {options.seen, options.others}) {
    EXPECT_EQ(TableOf(family).block_cache, TableOf(options.seen).block_cache);
    EXPECT_EQ(TableOf(family).block_cache->GetCapacity(), kMemory);
    EXPECT_TRUE(TableOf(family).cache_index_and_filter_blocks);
    // The memtables of one file, and those of another that is being written.
    EXPECT_LE(family.write_buffer_size *
                  static_cast<size_t>(family.max_write_buffer_number),
              kMemory / 2);
  }
  const auto& memtables = options.database.write_buffer_manager;
  EXPECT_EQ(memtables->buffer_size(), kMemory / 2);
  EXPECT_TRUE(memtables->cost_to_cache());
  EXPECT_STREQ(TableOf(options.seen).filter_policy->Name(), "oneline");
  EXPECT_EQ(TableOf(options.others).filter_policy, nullptr);
}

}  // namespace
}  // namespace oneline
