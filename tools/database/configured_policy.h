// The filter policy that an OPTIONS file names, and what is wrong with it.

#ifndef ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_
#define ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_

#include <rocksdb/filter_policy.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "oneline/filter_options.h"

namespace oneline {

struct ConfiguredPolicy {
  std::string text;  // after "filter_policy="
  // Null if none is wanted, and if there is a problem.
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  // NotFound: nothing here knows a policy of that name. InvalidArgument: it is
  // known, and its options are wrong.
  absl::Status problem;

  // Of a policy of ours.
  std::optional<FilterOptions> options;

  bool wanted() const { return policy != nullptr || !problem.ok(); }
  bool is_ours() const;
  // For people: the text, without what is as by default if it is ours.
  std::string ShortText() const;
};

// If `text` names RocksDB's Bloom filter, and the environment has
// ONELINE_REPLACE_BUILTIN as for programs with liboneline.so, the policy is the
// one that stands in for it.
ConfiguredPolicy PolicyInOptions(const std::string& text);

// The options that a policy of ours has; nothing for others.
std::optional<FilterOptions> OptionsOf(const rocksdb::FilterPolicy& policy);

// As it stands in an OPTIONS file: "{id=oneline;<name>=<value>;...}", without
// what is as by default.
std::string PolicyText(const FilterOptions& options);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_
