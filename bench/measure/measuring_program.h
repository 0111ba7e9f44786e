// The main function of programs that measure databases: flags, a directory for
// the databases, an error.

#ifndef ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
#define ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_

#include <functional>
#include <string>

#include "absl/status/status.h"

namespace oneline {

struct MeasuringProgram {
  const char* usage;  // what it does, for --help
  const char* name;   // what the names of its directories begin with

  // What is wrong with the flags; empty if nothing is.
  std::function<std::string()> flag_error;

  // Measures, with databases in the directory given, and prints.
  std::function<absl::Status(const std::string& directory)> run;
};

// Returns what main() should: 0, 1 after an error of `run`, 2 after one in the
// command line; errors are one line on standard error. The directory is gone
// afterwards, however it ends (see scratch_directory.h).
int RunMeasuringProgram(const MeasuringProgram& program, int argc, char** argv);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
