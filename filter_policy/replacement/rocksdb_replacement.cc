#include "filter_policy/replacement/rocksdb_replacement.h"

#include <rocksdb/convenience.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "filter_policy/options/option_field.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/replacement/rocksdb_ribbon_replacement.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

using rocksdb::FilterPolicy;

PolicyRequest FromEnvironment() {
  if (!CheckBuild().ok()) return {};
  PolicyRequest request =
      ReadRequest(kReplaceBuiltin, "a Ribbon with the program's bits per key",
                  "RocksDB's own filter is used");
  // Without a word about levels, as the program's own filter does it.
  if (request.named() && request.options.hits == 0 &&
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

// The bits per key that RocksDB's Ribbon takes, which is asked for by the bits
// of a Bloom filter with the same false-positive rate: some 30 % fewer. Its own
// builder tells them. They grow by 0.4 % with each doubling of the filter;
// these are those of 1 MiB, of a table of about a million keys.
double RibbonBitsPerKey(const FilterPolicy& ribbon, int bloom_before_level) {
  constexpr size_t kBytes = size_t{1} << 20;
  rocksdb::BlockBasedTableOptions table_options;
  table_options.optimize_filters_for_memory = false;
  rocksdb::FilterBuildingContext context(table_options);
  // Here no table is before any level.
  context.compaction_style = rocksdb::kCompactionStyleNone;
  // From 8.7 on the largest level means "Bloom in every table" until SetOptions
  // changes it, and to ask for Ribbon's bits takes another level.
  const bool only_bloom = bloom_before_level == std::numeric_limits<int>::max();
  const auto set_level = [&ribbon](int level) {
    const_cast<FilterPolicy&>(ribbon)
        .ConfigureOption(rocksdb::ConfigOptions(), "bloom_before_level",
                         std::to_string(level))
        .PermitUncheckedError();  // before 8.7 there is no such option
  };
  if (only_bloom) set_level(-1);
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      ribbon.GetBuilderWithContext(context));
  if (only_bloom) set_level(bloom_before_level);
  if (builder == nullptr) return 0;
  // There is a filter, and 1 is the least that ours take.
  const size_t keys = builder->ApproximateNumEntries(kBytes);
  return std::max(1.0, 8.0 * kBytes / static_cast<double>(keys));
}

std::unique_ptr<FilterPolicy> Make(const FilterOptions& options,
                                   const std::string& saved_as) {
  return std::unique_ptr<FilterPolicy>(
      MakeRocksDBFilterPolicy(options, saved_as, rocksdb::Status::OK()));
}

BuiltinReplacement ReplacementOfRibbon(const FilterPolicy& builtin,
                                       const BuiltinName& name) {
  BuiltinReplacement replacement;
  std::unique_ptr<FilterPolicy> bloom;
  if (TheRequest().named()) {
    replacement.options = TheRequest().options;
  } else {
    replacement.options.bits_by_level = false;
    replacement.options.bits_per_key =
        RibbonBitsPerKey(builtin, name.bloom_before_level);
    replacement.options.bloom_before_level =
        std::clamp(name.bloom_before_level, -1, 1000);
    FilterOptions bloom_options;
    bloom_options.kind = Kind::kBloom;
    bloom_options.bits_by_level = false;
    bloom_options.bits_per_key = name.bits_per_key;
    bloom = Make(bloom_options, builtin.GetId());
  }
  FilterOptions ribbon_options = replacement.options;
  if (bloom != nullptr) ribbon_options.bloom_before_level = -1;
  replacement.policy = NewRibbonReplacement(
      builtin.GetId(), name.bloom_before_level,
      Make(ribbon_options, builtin.GetId()), std::move(bloom));
  return replacement;
}

std::unique_ptr<const FilterPolicy> NewBuiltin(const BuiltinFunctions& builtin,
                                               const BuiltinName& name) {
  return std::unique_ptr<const FilterPolicy>(
      name.kind == Kind::kRibbon
          ? builtin.new_ribbon(name.bits_per_key, name.bloom_before_level)
          : builtin.new_bloom(name.bits_per_key, false));
}

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

BuiltinReplacement ReplacementOf(const FilterPolicy& builtin) {
  assert(ReplacesBuiltinFilters());
  // RocksDB has rounded the bits in the name and put them into its bounds.
  const std::optional<BuiltinName> name = ParseName(builtin.GetId());
  if (!name.has_value()) return {};
  if (name->kind == Kind::kRibbon) return ReplacementOfRibbon(builtin, *name);
  BuiltinReplacement replacement;
  replacement.options = TheRequest().options;
  if (!TheRequest().named()) {
    replacement.options.bits_by_level = false;
    replacement.options.bits_per_key = name->bits_per_key;
  }
  replacement.policy = Make(replacement.options, builtin.GetId());
  return replacement;
}

FilterPolicy* Replace(std::unique_ptr<const FilterPolicy> builtin) {
  if (builtin == nullptr) return nullptr;
  std::unique_ptr<const FilterPolicy> policy = ReplacementOf(*builtin).policy;
  if (policy == nullptr) policy = std::move(builtin);
  // Some of RocksDB's functions return const policies, some do not.
  return const_cast<FilterPolicy*>(policy.release());
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
