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
#include "oneline/rocksdb_filter_policy.h"

namespace oneline {
namespace {

bool NamesOurs(const std::string& text) {
  return absl::StartsWith(text, kPolicyName) ||
         absl::StrContains(text, absl::StrCat("id=", kPolicyName));
}

// What takes the place of "bloomfilter:<bits>:false", see
// filter_policy/rocksdb/builtin_replacement.cc; null for all else.
std::shared_ptr<const rocksdb::FilterPolicy> StandIn(const std::string& text) {
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
  } else if (!ParsePolicy(wanted, &options).ok()) {
    return nullptr;
  }
  return NewRocksDBFilterPolicy(options);
}

// RocksDB says what is wrong in the words of our own parser.
absl::Status Problem(const std::string& text, const rocksdb::Status& status) {
  if (NamesOurs(text)) {
    return absl::InvalidArgumentError(
        status.getState() != nullptr ? status.getState() : status.ToString());
  }
  return absl::NotFoundError(
      "neither this library nor RocksDB knows a policy of that name");
}

}  // namespace

bool ConfiguredPolicy::is_ours() const { return NamesOurs(text); }

std::string ConfiguredPolicy::ShortText() const {
  return is_ours() && options.has_value() ? PolicyText(*options) : text;
}

ConfiguredPolicy PolicyInOptions(const std::string& text) {
  ConfiguredPolicy configured;
  configured.text = text;
  configured.policy = StandIn(text);
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
  if (!ParsePolicy(policy.ToString(rocksdb::ConfigOptions()), &options).ok()) {
    return std::nullopt;
  }
  return options;
}

std::string PolicyText(const FilterOptions& options) {
  std::string text = absl::StrCat("{id=", kPolicyName);
  for (const std::string_view name : kOptionNames) {
    const std::string value = GetOption(name, options);
    if (value.empty() || value == GetOption(name, FilterOptions())) continue;
    absl::StrAppend(&text, ";", std::string(name), "=", value);
  }
  return text + "}";
}

}  // namespace oneline
