// A plugin of a program, with this library linked into it statically.

#include <rocksdb/filter_policy.h>

#include <memory>

#include "oneline/rocksdb_filter_policy.h"

std::shared_ptr<const rocksdb::FilterPolicy> Policy() {
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const rocksdb::Status status =
      oneline::NewRocksDBFilterPolicy(oneline::FilterOptions(), &policy);
  return status.ok() ? policy : nullptr;
}
