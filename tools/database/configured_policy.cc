#include "tools/database/configured_policy.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>

#include <cstdlib>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

bool NamesOurs(const std::string& text) {
  return absl::StartsWith(text, kPolicyName) ||
         absl::StrContains(text, absl::StrCat("id=", kPolicyName));
}

// The policy that replaces "bloomfilter:<bits>:false", as in
// filter_policy/rocksdb/builtin_replacement.cc. Null if none does.
std::shared_ptr<const rocksdb::FilterPolicy> BuiltinReplacement(
    const std::string& text) {
  const char* const wanted = std::getenv("ONELINE_REPLACE_BUILTIN");
  if (wanted == nullptr || *wanted == '\0' || std::string(wanted) == "0") {
    return nullptr;
  }
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  double bits_per_key;
  if ((parts[0] != "bloomfilter" && parts[0] != "rocksdb.BloomFilter") ||
      parts.size() < 2 || !absl::SimpleAtod(parts[1], &bits_per_key)) {
    return nullptr;
  }
  FilterOptions options;
  if (std::string(wanted) == "1") {
    options.bits_per_key = bits_per_key;
  } else if (!ParsePolicy(wanted, &options).empty()) {
    return nullptr;
  }
  return NewRocksDBFilterPolicy(options);
}

// `status` is RocksDB's. For a policy of ours it carries our parser's message.
absl::Status Problem(const std::string& text, const rocksdb::Status& status) {
  if (NamesOurs(text)) {
    return absl::InvalidArgumentError(
        status.getState() != nullptr ? status.getState() : status.ToString());
  }
  return absl::NotFoundError(
      "neither this library nor RocksDB has a policy of that name");
}

}  // namespace

bool ConfiguredPolicy::is_ours() const { return NamesOurs(text); }

std::string ConfiguredPolicy::ShortText() const {
  return is_ours() && options.has_value() ? PolicyText(*options) : text;
}

ConfiguredPolicy PolicyInOptions(const std::string& text) {
  ConfiguredPolicy configured;
  configured.text = text;
  configured.policy = BuiltinReplacement(text);
  if (configured.policy != nullptr) {
    configured.options = OptionsOf(*configured.policy);
    return configured;
  }
  rocksdb::ConfigOptions strict;
  strict.ignore_unknown_options = false;
  strict.ignore_unsupported_options = false;
  rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(strict, text, &configured.policy);
  if (status.ok() && configured.policy != nullptr) {
    status = configured.policy->ValidateOptions(rocksdb::DBOptions(),
                                                rocksdb::ColumnFamilyOptions());
  }
  if (!status.ok()) {
    configured.problem = Problem(text, status);
    configured.policy = nullptr;
  }
  if (configured.policy != nullptr) {
    configured.options = OptionsOf(*configured.policy);
  }
  return configured;
}

std::optional<FilterOptions> OptionsOf(const rocksdb::FilterPolicy& policy) {
  FilterOptions options;
  const std::string error =
      ParsePolicy(policy.ToString(rocksdb::ConfigOptions()), &options);
  if (!error.empty()) return std::nullopt;
  return options;
}

std::string PolicyText(const FilterOptions& options) {
  std::string text = absl::StrCat("{id=", kPolicyName);
  for (const OptionRow& option : kOptions) {
    const std::string value = GetOption(option.name, options);
    if (value.empty() || value == option.default_text) continue;
    absl::StrAppend(&text, ";", option.name, "=", value);
  }
  return text + "}";
}

}  // namespace oneline
