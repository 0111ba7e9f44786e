// A directory for the databases of one command, which is removed however the
// command ends.

#ifndef ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_
#define ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_

#include <functional>
#include <string>
#include <string_view>

namespace oneline {

// Makes a directory `name`-XXXXXX under ${TMPDIR:-/tmp}, runs `work` with it in
// a child process, removes the directory and returns the exit code for main():
// that of `work`, or 128 + the signal that ended it. So it ends after Ctrl-C, a
// termination signal, an error and a crash of `work`. REQUIRES: the process has
// one thread.
int RunInScratchDirectory(
    std::string_view name,
    const std::function<int(const std::string& directory)>& work);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_SCRATCH_DIRECTORY_H_
