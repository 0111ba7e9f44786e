// A program that makes the policy by a call. Usage: rocksdb_by_call DATABASE

#include <rocksdb/convenience.h>
#include <rocksdb/table.h>

#include <memory>

#include "filtered_database.h"
#include "oneline/cache_line_allocator.h"
#include "oneline/rocksdb_filter_policy.h"

int main(int argc, char** argv) {
  Require(argc == 2, "usage: rocksdb_by_call DATABASE");
  oneline::FilterOptions filter;
  filter.bits_per_key = 10;
  rocksdb::BlockBasedTableOptions table;
  Require(oneline::NewRocksDBFilterPolicy(filter, &table.filter_policy));

  // Whoever loads the OPTIONS file of this database needs the name.
  std::shared_ptr<const rocksdb::FilterPolicy> by_name;
  Require(rocksdb::FilterPolicy::CreateFromString(rocksdb::ConfigOptions(),
                                                  "oneline:10", &by_name));
  Require(by_name != nullptr, "the name \"oneline\" is not registered");

  rocksdb::LRUCacheOptions cache;
  cache.memory_allocator = oneline::NewCacheLineAlignedAllocator();
  table.block_cache = rocksdb::NewLRUCache(cache);
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  CheckFilteredDatabase(options, argv[1]);
  return 0;
}
