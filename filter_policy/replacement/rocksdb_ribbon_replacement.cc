#include "filter_policy/replacement/rocksdb_ribbon_replacement.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_field.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"

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

// RocksDB's policy, which keeps the level, and ours.
struct Level {
  FilterPolicy* builtin;
  FilterPolicy* ours;  // null if it does not obey the level
};

Status ParseLevel(const ConfigOptions& config, const std::string& name,
                  const std::string& value, void* option) {
  const Level& level = *static_cast<const Level*>(option);
  const Status status = level.builtin->ConfigureOption(config, name, value);
  int number = 0;
  if (!status.ok() || level.ours == nullptr || !ParseValue(value, &number)) {
    return status;
  }
  return level.ours->ConfigureOption(config, kLevelName,
                                     std::to_string(LevelInBounds(number)));
}

Status PrintLevel(const ConfigOptions& config, const std::string& name,
                  const void* option, std::string* value) {
  return static_cast<const Level*>(option)->builtin->GetOption(config, name,
                                                               value);
}

bool EqualLevels(const ConfigOptions&, const std::string& name, const void* a,
                 const void* b, std::string* mismatch) {
  // The names end with the levels.
  if (static_cast<const Level*>(a)->builtin->GetId() ==
      static_cast<const Level*>(b)->builtin->GetId()) {
    return true;
  }
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
  RibbonReplacement(std::shared_ptr<const FilterPolicy> builtin,
                    const FilterOptions& options, bool obeys_level)
      : builtin_(std::const_pointer_cast<FilterPolicy>(std::move(builtin))),
        policy_(MakeRocksDBFilterPolicy(options, kPolicyName)),
        level_{builtin_.get(), obeys_level ? policy_.get() : nullptr} {
    if (kLevelIsAnOption) {
      // Not kOptionsName, which is that of our policy's options.
      RegisterOptions("oneline.ribbon", &level_, &LevelOption());
    }
  }

  const char* Name() const override { return policy_->Name(); }
  const char* CompatibilityName() const override {
    return policy_->CompatibilityName();
  }
  std::string GetId() const override { return builtin_->GetId(); }
  // By its answer RocksDB decides whether the level is an option of a policy
  // that SetOptions makes.
  bool IsInstanceOf(const std::string& id) const override {
    return builtin_->IsInstanceOf(id);
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
    return name == kOptionsName ? policy_->GetOptions<void>(name)
                                : FilterPolicy::GetOptionsPtr(name);
  }

 private:
  const std::shared_ptr<FilterPolicy> builtin_;
  const std::unique_ptr<FilterPolicy> policy_;
  Level level_;
};

}  // namespace

int LevelInBounds(int bloom_before_level) {
  return std::clamp(bloom_before_level, -1, 1000);
}

std::unique_ptr<const FilterPolicy> NewRibbonReplacement(
    std::shared_ptr<const FilterPolicy> builtin, const FilterOptions& options,
    bool obeys_level) {
  return std::make_unique<RibbonReplacement>(std::move(builtin), options,
                                             obeys_level);
}

}  // namespace oneline
