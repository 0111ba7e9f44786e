// A directory for databases that live as long as the command that makes them,
// and are gone afterwards however it ends.

#ifndef ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_
#define ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_

#include <functional>
#include <string>
#include <string_view>

namespace oneline {

// Makes a directory `name`-XXXXXX under ${TMPDIR:-/tmp}, runs `work` with it
// in a child process, removes the directory and returns what main() should:
// `work`'s own result, or 128 + the signal that ended it. Ctrl-C, a
// termination signal, an error or a crash of `work` all end that way.
// REQUIRES: the process has one thread, and calls this once at a time.
int RunInScratchDirectory(
    std::string_view name,
    const std::function<int(const std::string& directory)>& work);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_
