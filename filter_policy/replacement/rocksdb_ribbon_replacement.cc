#include "filter_policy/replacement/rocksdb_ribbon_replacement.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <unordered_map>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_field.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::FilterPolicy;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

constexpr char kLevelName[] = "bloom_before_level";

// From 8.7 on RocksDB saves the level as an option besides the name, and
// SetOptions can change it.
constexpr bool kLevelIsAnOption = ONELINE_ROCKSDB_VERSION >= 80700;

// The level as RocksDB knows it, any number, and the policy that obeys it.
struct Level {
  std::atomic<int> number;
  FilterPolicy* policy;  // may be null

  Status Set(const ConfigOptions& config, int new_number) {
    number = new_number;
    if (policy == nullptr) return Status::OK();
    return policy->ConfigureOption(config, kLevelName,
                                   std::to_string(LevelInBounds(new_number)));
  }
};

Status ParseLevel(const ConfigOptions& config, const std::string& name,
                  const std::string& value, void* option) {
  int number = 0;
  if (!ParseValue(value, &number)) {
    return Status::InvalidArgument(name + "=" + value +
                                   ": must be a whole number");
  }
  return static_cast<Level*>(option)->Set(config, number);
}

int NumberOf(const void* option) {
  return static_cast<const Level*>(option)->number;
}

Status PrintLevel(const ConfigOptions&, const std::string& /*name*/,
                  const void* option, std::string* value) {
  *value = std::to_string(NumberOf(option));
  return Status::OK();
}

bool EqualLevels(const ConfigOptions&, const std::string& name, const void* a,
                 const void* b, std::string* mismatch) {
  if (NumberOf(a) == NumberOf(b)) return true;
  *mismatch = name;
  return false;
}

const std::unordered_map<std::string, OptionTypeInfo>& LevelOption() {
  static const auto* const option =
      new std::unordered_map<std::string, OptionTypeInfo>{
          {kLevelName, OptionTypeInfo(0, rocksdb::OptionType::kUnknown,
                                      rocksdb::OptionVerificationType::kNormal,
                                      rocksdb::OptionTypeFlags::kMutable,
                                      &ParseLevel, &PrintLevel, &EqualLevels)}};
  return *option;
}

class RibbonReplacement final : public FilterPolicy {
 public:
  RibbonReplacement(const std::string& id, int bloom_before_level,
                    const FilterOptions& options, bool obeys_level)
      : id_without_level_(id.substr(0, id.rfind(':') + 1)),
        policy_(MakeRocksDBFilterPolicy(options, kPolicyName)),
        level_{{bloom_before_level}, obeys_level ? policy_.get() : nullptr} {
    if (kLevelIsAnOption) {
      // Not kPolicyName, which is that of our policy's options.
      RegisterOptions("oneline.ribbon", &level_, &LevelOption());
    }
  }

  const char* Name() const override { return policy_->Name(); }
  const char* CompatibilityName() const override {
    return policy_->CompatibilityName();
  }
  std::string GetId() const override {
    return id_without_level_ + std::to_string(level_.number.load());
  }

  Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    return policy_->ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return policy_->GetBuilderWithContext(context);
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return policy_->GetFilterBitsReader(contents);
  }

 protected:
  const void* GetOptionsPtr(const std::string& name) const override {
    return name == kPolicyName ? policy_->GetOptions<void>(name)
                               : FilterPolicy::GetOptionsPtr(name);
  }

 private:
  const std::string id_without_level_;  // "ribbonfilter:<bits>:"
  const std::unique_ptr<FilterPolicy> policy_;
  Level level_;
};

}  // namespace

int LevelInBounds(int bloom_before_level) {
  return std::clamp(bloom_before_level, -1, 1000);
}

std::unique_ptr<const FilterPolicy> NewRibbonReplacement(
    const std::string& id, int bloom_before_level, const FilterOptions& options,
    bool obeys_level) {
  return std::make_unique<RibbonReplacement>(id, bloom_before_level, options,
                                             obeys_level);
}

}  // namespace oneline
