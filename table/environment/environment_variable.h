// Variables of the environment, whose names nothing checks but us.

#ifndef ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_
#define ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_

namespace oneline {

// As getenv. If the variable is not set, but one with nearly the same name,
// this says so on standard error.
const char* EnvironmentVariable(const char* name);

}  // namespace oneline

#endif  // ONELINE_TABLE_ENVIRONMENT_ENVIRONMENT_VARIABLE_H_
