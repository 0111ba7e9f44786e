// A database's own function behind the one of the same name that a library to
// preload defines.

#ifndef ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_
#define ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_

namespace oneline {

// The function with this mangled name. Null, with a message on standard error
// that calls it `name`, if it is in no shared library of the program: the
// caller returns null then, which databases take for "no filter".
void* FindBuiltin(const char* mangled_name, const char* name);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_
