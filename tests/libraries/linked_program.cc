// Linked to liboneline.so, and to RocksDB behind it. Makes RocksDB's Bloom
// policy and ours, and prints the names of both.

#include <rocksdb/filter_policy.h>

#include <cstdio>
#include <memory>

#include "oneline/rocksdb_filter_policy.h"

int main() {
  const std::unique_ptr<const rocksdb::FilterPolicy> bloom(
      rocksdb::NewBloomFilterPolicy(10));
  std::shared_ptr<const rocksdb::FilterPolicy> ours;
  const rocksdb::Status status =
      oneline::NewRocksDBFilterPolicy(oneline::FilterOptions(), &ours);
  std::printf("%s %s\n", bloom->Name(),
              status.ok() ? ours->Name() : status.ToString().c_str());
  return 0;
}
