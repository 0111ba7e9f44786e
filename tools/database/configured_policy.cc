#include "tools/database/configured_policy.h"

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/replacement/rocksdb_replacement.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"

namespace oneline {
namespace {

// Sets why a text that has no valid policy has none.
void Reject(const rocksdb::Status& status, ConfiguredPolicy* configured) {
  const bool has_no_name = absl::StartsWith(configured->text, "{") &&
                           !absl::StrContains(configured->text, "id=");
  configured->policy = nullptr;
  configured->state = PolicyState::kWrong;
  if (status.getState() != nullptr &&
      absl::StartsWith(status.getState(), "oneline: ")) {
    configured->mistake = status.getState();  // our parser says why
  } else if (status.IsCorruption()) {
    configured->mistake = "a number in it is too large";
  } else {
    configured->state = PolicyState::kUnknown;
    configured->mistake =
        has_no_name
            ? "it does not say id=NAME"
            : "neither this library nor RocksDB has a policy of that name, or "
              "it takes no such number";
  }
}

}  // namespace

bool ConfiguredPolicy::is_ours() const {
  return absl::StartsWith(text, kPolicyName) ||
         absl::StrContains(text, absl::StrCat("id=", kPolicyName));
}

std::string ConfiguredPolicy::ShortText() const {
  return is_ours() && options.has_value() ? PolicyText(*options) : text;
}

ConfiguredPolicy PolicyInOptions(const std::string& text) {
  ConfiguredPolicy configured;
  configured.text = text;
  rocksdb::ConfigOptions strict;
  strict.ignore_unknown_options = false;
  strict.ignore_unsupported_options = false;
  // RocksDB throws an exception for numbers that are too large.
  rocksdb::Status status = CallRocksDB([&] {
    return rocksdb::FilterPolicy::CreateFromString(strict, text,
                                                   &configured.policy);
  });
  if (status.ok() && configured.policy != nullptr) {
    // A family like this says nothing of the sizes of levels.
    rocksdb::ColumnFamilyOptions without_last_level;
    without_last_level.optimize_filters_for_hits = true;
    status = configured.policy->ValidateOptions(rocksdb::DBOptions(),
                                                without_last_level);
  }
  if (!status.ok()) Reject(status, &configured);
  if (configured.policy == nullptr) return configured;
  configured.state = PolicyState::kValid;
  auto replacement = ReplacementOf(configured.policy);
  if (replacement != nullptr) configured.policy = std::move(replacement);
  configured.options = OptionsOf(*configured.policy);
  return configured;
}

std::string PolicyText(const FilterOptions& options) {
  const std::string changed = ChangedOptions(options);
  return absl::StrCat("{id=", kPolicyName, changed.empty() ? "" : ";", changed,
                      "}");
}

}  // namespace oneline
