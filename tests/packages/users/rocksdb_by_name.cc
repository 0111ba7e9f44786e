// A program that knows the policy only by its name in a text of options: it has
// to have the library linked or preloaded. Usage: rocksdb_by_name DATABASE

#include <rocksdb/convenience.h>
#include <rocksdb/memory_allocator.h>

#include <memory>

#include "filtered_database.h"

int main(int argc, char** argv) {
  Require(argc == 2, "usage: rocksdb_by_name DATABASE");
  const rocksdb::ConfigOptions config;
  rocksdb::Options options;
  Require(rocksdb::GetColumnFamilyOptionsFromString(
      config, rocksdb::ColumnFamilyOptions(),
      "block_based_table_factory={filter_policy=oneline:10}", &options));
  CheckFilteredDatabase(options, argv[1]);

  std::shared_ptr<rocksdb::MemoryAllocator> allocator;
  Require(rocksdb::MemoryAllocator::CreateFromString(
      config, "oneline.CacheLineAlignedAllocator", &allocator));
  return 0;
}
