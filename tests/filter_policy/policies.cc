#include "tests/filter_policy/policies.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>

#include "oneline/rocksdb_filter_policy.h"

namespace oneline {

PolicyPtr PolicyWith(const FilterOptions& options) {
  PolicyPtr policy;
  const rocksdb::Status status = NewRocksDBFilterPolicy(options, &policy);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return policy;
}

PolicyPtr OurPolicy(double bits_per_key, Kind kind,
                    std::optional<uint64_t> hash_seed) {
  FilterOptions options;
  options.kind = kind;
  options.bits_by_level = false;
  options.bits_per_key = bits_per_key;
  options.hash_seed = hash_seed;
  return PolicyWith(options);
}

PolicyPtr PolicyNamed(const std::string& name) {
  PolicyPtr policy;
  rocksdb::ConfigOptions config;
  config.ignore_unsupported_options = false;
  const rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(config, name, &policy);
  EXPECT_TRUE(status.ok()) << name << ": " << status.ToString();
  EXPECT_NE(policy, nullptr) << name;
  return policy;
}

PolicyPtr ForeignPolicy(const std::string& name) {
  return std::make_shared<OuterPolicy>(OurPolicy(10), name, name);
}

}  // namespace oneline
