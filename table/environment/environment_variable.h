// Variables of the environment, whose names nothing checks but us.

#ifndef ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_
#define ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "table/environment/edit_distance.h"

namespace oneline {

// As getenv. If the variable is not set, but one with nearly the same name,
// this says so on standard error.
inline const char* EnvironmentVariable(const char* name) {
  const char* const value = std::getenv(name);
  if (value != nullptr || environ == nullptr) return value;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    std::string set = *variable;
    set.erase(std::min(set.find('='), set.size()));
    if (!IsMisspelled(set, name)) continue;
    std::fprintf(stderr,
                 "oneline: %s is no variable of ours: do you mean %s?\n",
                 set.c_str(), name);
  }
  return value;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_
