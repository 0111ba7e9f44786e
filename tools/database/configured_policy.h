// The filter policy that an OPTIONS file asks for, or why it is no valid one.

#ifndef ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_
#define ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_

#include <rocksdb/filter_policy.h>

#include <memory>
#include <optional>
#include <string>

#include "oneline/filter_options.h"

namespace oneline {

enum class PolicyState {
  kNone,  // no filters are asked for
  kValid,
  kUnknown,  // neither this library nor RocksDB has it
  kWrong,    // it is ours, or RocksDB's, and its options are wrong
};

struct ConfiguredPolicy {
  PolicyState state = PolicyState::kNone;
  std::string text;     // what follows "filter_policy="; "nullptr" for kNone
  std::string mistake;  // of kUnknown and kWrong: why

  std::shared_ptr<const rocksdb::FilterPolicy> policy;  // kValid only
  std::optional<FilterOptions> options;                 // if it is ours

  // Whether filters are asked for, by a valid policy or not.
  bool wanted() const { return state != PolicyState::kNone; }
  bool is_ours() const;  // by its text
  // For people: the text; of ours without options that have their defaults.
  std::string ShortText() const;
};

// `text`: what follows "filter_policy=" in an OPTIONS file. If it names a
// filter of RocksDB's own and the environment variable ONELINE_REPLACE_BUILTIN
// is set, the policy is the one that liboneline_preload.so puts in its place.
ConfiguredPolicy PolicyInOptions(const std::string& text);

// A policy of ours as text for an OPTIONS file, without options that have their
// default values: "{id=oneline;<name>=<value>;...}".
std::string PolicyText(const FilterOptions& options);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_CONFIGURED_POLICY_H_
