// The filter policy that an OPTIONS file asks for, or why it is no valid one.

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
  std::string text;  // what follows "filter_policy="; empty: not known

  // Null if the text asks for no policy, or if there is a problem.
  std::shared_ptr<const rocksdb::FilterPolicy> policy;

  // NotFound: neither this library nor RocksDB knows the policy, or there is no
  // OPTIONS file.
  // InvalidArgument: it is ours, and its options are wrong.
  absl::Status problem;

  // The options of a policy of ours.
  std::optional<FilterOptions> options;

  // Whether filters are asked for, by a valid policy or not.
  bool wanted() const { return policy != nullptr || !problem.ok(); }
  bool is_ours() const;
  // For people: the text; of our policy without options that have their default
  // values.
  std::string ShortText() const;
};

// `text`: what follows "filter_policy=" in an OPTIONS file. If it names
// a filter of RocksDB's own and the environment variable
// ONELINE_REPLACE_BUILTIN is set, the policy is the one that
// liboneline_preload.so puts in its place.
ConfiguredPolicy PolicyInOptions(const std::string& text);

// A policy of ours as text for an OPTIONS file, without options that have their
// default values: "{id=oneline;<name>=<value>;...}".
std::string PolicyText(const FilterOptions& options);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_
