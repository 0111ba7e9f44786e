// Runs a loop in several threads.

#ifndef ONELINE_TOOLS_COMMAND_PARALLEL_H_
#define ONELINE_TOOLS_COMMAND_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace oneline {

// Calls `work(i)` once for each i in 0..n-1, in their order, in `jobs` threads,
// of which the caller's is one, or in fewer if the system has no more. If it
// throws an exception, no further call begins, and the exception is passed on.
void ParallelFor(size_t n, int jobs, const std::function<void(size_t)>& work);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_PARALLEL_H_
