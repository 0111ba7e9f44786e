#include "filter_policy/replacement/rocksdb_replacement.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/utilities/options_type.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::FilterPolicy;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

PolicyRequest FromEnvironment() {
  if (!CheckVersion().ok()) return {};
  PolicyRequest request =
      ReadRequest(kReplaceBuiltin, "a Ribbon with the program's bits per key",
                  "RocksDB's own filter is used");
  // Without a word about levels, as the program's own filter does it.
  if (request.named() && request.options.hits == 0 &&
      !IsRocksDBs(request.options.kind) &&
      request.text.find("bits_by_level") == std::string::npos) {
    request.options.bits_by_level = false;
  }
  return request;
}

const PolicyRequest& TheRequest() {
  static const PolicyRequest request = FromEnvironment();
  return request;
}

// A name of RocksDB's own policies.
struct BuiltinName {
  Kind kind = Kind::kBloom;
  double bits_per_key = 0;  // for Ribbon those of a Bloom filter as good as it
  int bloom_before_level = 0;  // for Ribbon; 0 if the name does not say it
};

// From "bloomfilter:<bits>", "ribbonfilter:<bits>:<level>" and what else
// RocksDB knows; nothing for other names.
std::optional<BuiltinName> ParseName(std::string_view text) {
  const auto next_part = [&text] {
    const std::string_view part = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    return part;
  };
  const std::string_view name = next_part();
  BuiltinName parsed;
  if (name == "ribbonfilter" || name == "rocksdb.RibbonFilter") {
    parsed.kind = Kind::kRibbon;
  } else if (name != "bloomfilter" && name != "rocksdb.BloomFilter") {
    return std::nullopt;
  }
  if (!ParseValue(next_part(), &parsed.bits_per_key)) return std::nullopt;
  // What may follow the bits of a Bloom filter, true or false, has no meaning.
  if (parsed.kind == Kind::kRibbon && !text.empty() &&
      !ParseValue(text, &parsed.bloom_before_level)) {
    return std::nullopt;
  }
  return parsed;
}

// Of one of RocksDB's policies that are to be replaced; nothing for others.
std::optional<BuiltinName> ReplacedName(const FilterPolicy& builtin) {
  if (BuiltinsStay::active || !ReplacesBuiltinFilters()) return std::nullopt;
  return ParseName(builtin.GetId());
}

// As FilterOptions have it: RocksDB's largest level, which RocksDB takes for
// "Bloom in every table", becomes one that no table has.
int LevelInBounds(int bloom_before_level) {
  return std::clamp(bloom_before_level, -1, 1000);
}

// Of the policy in place of RocksDB's of this name.
FilterOptions OptionsFor(const BuiltinName& name) {
  FilterOptions options = TheRequest().options;
  if (TheRequest().named()) return options;
  options.bits_by_level = false;
  options.bits_per_key = name.bits_per_key;
  if (name.kind == Kind::kRibbon) {
    options.bloom_before_level = LevelInBounds(name.bloom_before_level);
  }
  if (name.kind == Kind::kRibbon && name.bits_per_key > 0) {
    // As many false positives as a Bloom filter of these bits. A line of
    // RocksDB's Bloom filter is what a line of ours is.
    options.bits_per_key.reset();
    options.fp_rate = std::clamp(
        LargeFilterFpRate(*FindKind(Kind::kBloom), name.bits_per_key), 1e-9,
        0.5);
  }
  return options;
}

const FilterPolicy* NewBuiltin(const BuiltinFunctions& builtin,
                               const BuiltinName& name) {
  if (name.kind == Kind::kRibbon) {
    return builtin.new_ribbon(name.bits_per_key, name.bloom_before_level);
  }
  return builtin.new_bloom(name.bits_per_key, false);
}

constexpr char kLevelName[] = "bloom_before_level";

// RocksDB's policy, which keeps the level, and ours.
struct Level {
  FilterPolicy* builtin;
  FilterPolicy* ours;  // null if it does not obey the level
};

Status ParseLevel(const ConfigOptions& config, const std::string& name,
                  const std::string& value, void* option) {
  const Level& level = *static_cast<const Level*>(option);
  const Status status = level.builtin->ConfigureOption(config, name, value);
  if (!status.ok() || level.ours == nullptr) return status;
  // As RocksDB has read it, which takes more than a number.
  const int number = ParseName(level.builtin->GetId())->bloom_before_level;
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

// In place of RocksDB's Ribbon policy: one of ours, under the name of
// RocksDB's, with the one option that RocksDB's has.
class RibbonReplacement final : public FilterPolicy {
 public:
  RibbonReplacement(std::shared_ptr<const FilterPolicy> builtin,
                    const FilterOptions& options, bool obeys_level)
      : builtin_(std::const_pointer_cast<FilterPolicy>(std::move(builtin))),
        policy_(MakeRocksDBFilterPolicy(options, kPolicyName)),
        level_{builtin_.get(), obeys_level ? policy_.get() : nullptr} {
    if (kRibbonLevelIsAnOption) {
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
    return name == kOptionsName || name == kLevelBitsName
               ? policy_->GetOptions<void>(name)
               : FilterPolicy::GetOptionsPtr(name);
  }

 private:
  const std::shared_ptr<FilterPolicy> builtin_;
  const std::unique_ptr<FilterPolicy> policy_;
  Level level_;
};

using Pattern = rocksdb::ObjectLibrary::PatternEntry;

// RocksDB's names, each with its number of bits.
Pattern BloomNames() {
  return Pattern("bloomfilter", false)
      .AnotherName("rocksdb.BloomFilter")
      .AddNumber(":", false);
}

Pattern RibbonNames() {
  return Pattern("ribbonfilter", false)
      .AnotherName("rocksdb.RibbonFilter")
      .AddNumber(":", false);
}

}  // namespace

bool ReplacesBuiltinFilters() { return TheRequest().wanted(); }

std::unique_ptr<const FilterPolicy> ReplacementOf(
    const std::shared_ptr<const FilterPolicy>& builtin) {
  // RocksDB has rounded the bits in the name and put them into its bounds.
  const std::optional<BuiltinName> name = ReplacedName(*builtin);
  if (!name.has_value()) return nullptr;
  const FilterOptions options = OptionsFor(*name);
  if (name->kind == Kind::kRibbon) {
    return std::make_unique<RibbonReplacement>(
        builtin, options, /*obeys_level=*/!TheRequest().named());
  }
  return std::unique_ptr<const FilterPolicy>(
      MakeRocksDBFilterPolicy(options, builtin->GetId()));
}

FilterPolicy* Replace(const FilterPolicy* builtin) {
  const FilterPolicy* const policy =
      builtin == nullptr || !ReplacedName(*builtin).has_value()
          ? builtin
          : ReplacementOf(std::shared_ptr<const FilterPolicy>(builtin))
                .release();
  // Some of RocksDB's functions return const policies, some do not.
  return const_cast<FilterPolicy*>(policy);
}

void RegisterReplacements(const BuiltinFunctions& builtin,
                          rocksdb::ObjectLibrary* library) {
  const auto factory = [builtin](const std::string& text,
                                 std::unique_ptr<const FilterPolicy>* guard,
                                 std::string* error) {
    const std::optional<BuiltinName> name = ParseName(text);
    if (name.has_value()) {
      guard->reset(Replace(NewBuiltin(builtin, *name)));
    } else {
      *error = text + ": must have a number of bits and a level";
    }
    return guard->get();
  };
  for (const Pattern& names : {BloomNames(), BloomNames().AddSuffix(":false"),
                               BloomNames().AddSuffix(":true"), RibbonNames(),
                               RibbonNames().AddNumber(":", true)}) {
    library->AddFactory<const FilterPolicy>(names, factory);
  }
}

}  // namespace oneline
