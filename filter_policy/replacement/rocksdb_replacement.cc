#include "filter_policy/replacement/rocksdb_replacement.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_field.h"
#include "filter_policy/options/policy_request.h"
#include "filter_policy/replacement/rocksdb_ribbon_replacement.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "table/block/kind_choice.h"

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

// Of one of RocksDB's policies that are to be replaced; nothing for others.
std::optional<BuiltinName> ReplacedName(const FilterPolicy& builtin) {
  if (!ReplacesBuiltinFilters()) return std::nullopt;
  return ParseName(builtin.GetId());
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
    return NewRibbonReplacement(builtin, options,
                                /*obeys_level=*/!TheRequest().named());
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
