#include "filter_policy/options/policy_request.h"

#include <cstdio>

#include "filter_policy/options/filter_options_text.h"
#include "table/environment/environment_variable.h"

namespace oneline {

PolicyRequest ReadRequest(const char* variable, const char* one,
                          const char* instead,
                          std::string (*check)(const FilterOptions&)) {
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
