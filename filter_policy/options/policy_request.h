// Policies that environment variables ask for, in programs that were not
// written for this library:
//
//   VARIABLE=1                some policy; its reader says which
//   VARIABLE=oneline:12       this policy
//   unset, empty or 0         none

#ifndef ONELINE_FILTER_POLICY_OPTIONS_POLICY_REQUEST_H_
#define ONELINE_FILTER_POLICY_OPTIONS_POLICY_REQUEST_H_

#include <cstdio>
#include <string>

#include "filter_policy/options/filter_options_text.h"
#include "oneline/filter_options.h"
#include "table/environment/environment_variable.h"

namespace oneline {

// Our filters in place of the database's own.
inline constexpr char kReplaceBuiltin[] = "ONELINE_REPLACE_BUILTIN";

struct PolicyRequest {
  std::string text;       // empty if nothing is asked for
  FilterOptions options;  // of the policy that is named; else the default ones

  bool wanted() const { return !text.empty(); }
  bool named() const { return wanted() && text != "1"; }
};

// A wrong value is reported on standard error and asks for nothing. The message
// says what 1 means (`one`) and what is done now (`instead`). `check`: as
// Validate, for a database that cannot have all options.
inline PolicyRequest ReadRequest(
    const char* variable, const char* one, const char* instead,
    std::string (*check)(const FilterOptions&) = nullptr) {
  const char* value = EnvironmentVariable(variable);
  PolicyRequest request;
  if (value == nullptr || value == std::string("0")) return request;
  request.text = value;
  if (!request.wanted()) return request;
  std::string error;
  if (request.named()) error = ParsePolicy(request.text, &request.options);
  if (error.empty() && check != nullptr) error = check(request.options);
  if (error.empty()) return request;
  std::fprintf(stderr, "%s: %s (or 1, for %s); %s\n", variable, error.c_str(),
               one, instead);
  return {};
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_POLICY_REQUEST_H_
