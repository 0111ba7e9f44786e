// Filter policies for tests of RocksDB.

#ifndef ONELINE_TESTS_FILTER_POLICY_POLICIES_H_
#define ONELINE_TESTS_FILTER_POLICY_POLICIES_H_

#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>

#include "oneline/filter_options.h"
#include "oneline/rocksdb_filter_policy.h"
#include "tests/testing.h"

namespace oneline {

using PolicyPtr = std::shared_ptr<const rocksdb::FilterPolicy>;

// Our policy with these options. Fails the test if they are wrong.
inline PolicyPtr PolicyWith(const FilterOptions& options) {
  PolicyPtr policy;
  EXPECT_TRUE(IsOk(NewRocksDBFilterPolicy(options, &policy)));
  return policy;
}

// The same with default options except these: all tables get the same bits
// per key, so that tests can tell where filters come from.
inline PolicyPtr OurPolicy(double bits_per_key, Kind kind = Kind::kRibbon,
                           std::optional<uint64_t> hash_seed = {}) {
  FilterOptions options;
  options.kind = kind;
  options.bits_by_level = false;
  options.bits_per_key = bits_per_key;
  options.hash_seed = hash_seed;
  return PolicyWith(options);
}

// With bits by level.
template <Kind kKind>
PolicyPtr PolicyByLevel(double bits_per_key, double hits) {
  FilterOptions options;
  options.kind = kKind;
  options.bits_per_key = bits_per_key;
  options.hits = hits;
  return PolicyWith(options);
}

// The policy that has this name in OPTIONS files. Fails the test if RocksDB
// doesn't know the name.
inline PolicyPtr PolicyNamed(const std::string& name) {
  PolicyPtr policy;
  rocksdb::ConfigOptions config;
  config.ignore_unsupported_options = false;
  EXPECT_TRUE(
      IsOk(rocksdb::FilterPolicy::CreateFromString(config, name, &policy)))
      << name;
  EXPECT_NE(policy, nullptr) << name;
  return policy;
}

// A program's own policy around `inside`, with its filters: it passes on what
// RocksDB asks.
class OuterPolicy : public rocksdb::FilterPolicy {
 public:
  OuterPolicy(const PolicyPtr& inside, const std::string& name,
              const std::string& compatibility_name)
      : inside_(inside), name_(name), compatibility_name_(compatibility_name) {}
  explicit OuterPolicy(const PolicyPtr& inside)
      : OuterPolicy(inside, inside->Name(), inside->CompatibilityName()) {}

  const char* Name() const override { return name_.c_str(); }
  const char* CompatibilityName() const override {
    return compatibility_name_.c_str();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return inside_->GetBuilderWithContext(context);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    return inside_->GetFilterBitsReader(block);
  }

 private:
  const PolicyPtr inside_;
  const std::string name_, compatibility_name_;
};

// A policy of another library, whose filters have this name. RocksDB knows no
// such policy.
inline PolicyPtr ForeignPolicy(const std::string& name) {
  return std::make_shared<OuterPolicy>(OurPolicy(10), name, name);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_POLICIES_H_
