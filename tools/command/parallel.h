// Runs a loop in several threads.

#ifndef ONELINE_TOOLS_COMMAND_PARALLEL_H_
#define ONELINE_TOOLS_COMMAND_PARALLEL_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// The number of threads, 1 to 256, as a flag.
struct JobCount {
  int jobs = 1;
};

bool AbslParseFlag(absl::string_view text, JobCount* count, std::string* error);
std::string AbslUnparseFlag(const JobCount& count);

// Calls `work(i)` once for each i in 0..n-1, in `count` threads, of which the
// caller's is one, or in fewer if the system has no more. Calls begin in the
// order of i. Returns when all are done. `work` must be thread-safe; if it
// throws an exception, no further call begins, and the exception is passed on.
void ParallelFor(size_t n, JobCount count,
                 const std::function<void(size_t)>& work);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_PARALLEL_H_
