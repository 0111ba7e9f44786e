// Work on many things at once.

#ifndef ONELINE_TOOLS_COMMAND_PARALLEL_H_
#define ONELINE_TOOLS_COMMAND_PARALLEL_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace oneline {

// As a flag: how many threads work, 1 to 256.
struct JobCount {
  int jobs = 1;
};

bool AbslParseFlag(absl::string_view text, JobCount* count, std::string* error);
std::string AbslUnparseFlag(const JobCount& count);

// Calls `work(i)` once for each i of 0..n-1, begun in that order, and returns
// when all are done.
void ParallelFor(size_t n, JobCount count,
                 const std::function<void(size_t)>& work);

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_PARALLEL_H_
