#include "tests/filter_policy/policies.h"

#include <gtest/gtest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/slice.h>

#include <memory>
#include <string>

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

namespace {

class OuterPolicy final : public rocksdb::FilterPolicy {
 public:
  OuterPolicy(const PolicyPtr& inside, const std::string& name,
              const std::string& compatibility_name)
      : inside_(inside), name_(name), compatibility_name_(compatibility_name) {}
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

}  // namespace

PolicyPtr PolicyAround(const PolicyPtr& inside, const std::string& name,
                       const std::string& compatibility_name) {
  return std::make_shared<OuterPolicy>(inside, name, compatibility_name);
}

PolicyPtr ForeignPolicy(const std::string& name) {
  return PolicyAround(OurPolicy(10), name, name);
}

}  // namespace oneline
