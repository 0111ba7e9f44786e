#include "filter_policy/replacement/rocksdb_ribbon_replacement.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <atomic>
#include <limits>
#include <unordered_map>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_field.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "oneline/filter_options.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::FilterPolicy;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

// The largest level: RocksDB from 8.7 on takes it for "Bloom in every table".
constexpr int kAlways = std::numeric_limits<int>::max();

// From 8.7 on RocksDB saves the level as an option besides the name, and
// SetOptions can change it.
constexpr bool kLevelIsAnOption = ONELINE_ROCKSDB_VERSION >= 80700;

using Level = std::atomic<int>;

int LevelIn(const void* option) {
  return static_cast<const Level*>(option)->load();
}

Status ParseLevel(const ConfigOptions&, const std::string& name,
                  const std::string& value, void* option) {
  int level = 0;
  if (!ParseValue(value, &level)) {
    return Status::InvalidArgument(name + "=" + value +
                                   ": must be a whole number");
  }
  static_cast<Level*>(option)->store(level);
  return Status::OK();
}

Status PrintLevel(const ConfigOptions&, const std::string& /*name*/,
                  const void* option, std::string* value) {
  *value = std::to_string(LevelIn(option));
  return Status::OK();
}

bool EqualLevels(const ConfigOptions&, const std::string& name, const void* a,
                 const void* b, std::string* mismatch) {
  if (LevelIn(a) == LevelIn(b)) return true;
  *mismatch = name;
  return false;
}

const std::unordered_map<std::string, OptionTypeInfo>& LevelOption() {
  static const auto* const option =
      new std::unordered_map<std::string, OptionTypeInfo>{
          {"bloom_before_level",
           OptionTypeInfo(0, rocksdb::OptionType::kUnknown,
                          rocksdb::OptionVerificationType::kNormal,
                          rocksdb::OptionTypeFlags::kMutable, &ParseLevel,
                          &PrintLevel, &EqualLevels)}};
  return *option;
}

class RibbonReplacement final : public FilterPolicy {
 public:
  RibbonReplacement(const std::string& id, int bloom_before_level,
                    std::unique_ptr<const FilterPolicy> ribbon,
                    std::unique_ptr<const FilterPolicy> bloom)
      : id_without_level_(id.substr(0, id.rfind(':') + 1)),
        bloom_before_level_(bloom_before_level),
        ribbon_(std::move(ribbon)),
        bloom_(std::move(bloom)) {
    if (kLevelIsAnOption) {
      // Not kPolicyName, under which OptionsOf looks for SharedOptions.
      RegisterOptions("oneline.ribbon", &bloom_before_level_, &LevelOption());
    }
  }

  const char* Name() const override { return ribbon_->Name(); }
  const char* CompatibilityName() const override {
    return ribbon_->CompatibilityName();
  }
  std::string GetId() const override {
    return id_without_level_ + std::to_string(bloom_before_level_.load());
  }

  Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    const Status status = ribbon_->ValidateOptions(db_options, cf_options);
    if (!status.ok() || bloom_ == nullptr) return status;
    return bloom_->ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return (GetsBloom(context) ? bloom_ : ribbon_)
        ->GetBuilderWithContext(context);
  }

  // Either reads the filters of both, and RocksDB's own.
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return ribbon_->GetFilterBitsReader(contents);
  }

 private:
  bool GetsBloom(const rocksdb::FilterBuildingContext& context) const {
    if (bloom_ == nullptr) return false;
    FilterOptions options;
    options.bloom_before_level = bloom_before_level_.load();
    return options.bloom_before_level == kAlways ||
           KindFor(options, context) == Kind::kBloom;
  }

  const std::string id_without_level_;  // "ribbonfilter:<bits>:"
  Level bloom_before_level_;
  const std::unique_ptr<const FilterPolicy> ribbon_;
  const std::unique_ptr<const FilterPolicy> bloom_;
};

}  // namespace

std::unique_ptr<FilterPolicy> NewRibbonReplacement(
    const std::string& id, int bloom_before_level,
    std::unique_ptr<const FilterPolicy> ribbon,
    std::unique_ptr<const FilterPolicy> bloom) {
  return std::make_unique<RibbonReplacement>(
      id, bloom_before_level, std::move(ribbon), std::move(bloom));
}

}  // namespace oneline
