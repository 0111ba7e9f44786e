// The main function of programs that measure databases: it checks the flags,
// makes a directory for the databases, and prints errors.

#ifndef ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
#define ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_

#include <functional>
#include <string>

#include "absl/status/status.h"

namespace oneline {

struct MeasuringProgram {
  const char* usage;  // what it does, for --help
  const char* name;   // the prefix of the names of its directories

  // Returns what is wrong with the flags; empty if nothing is.
  std::function<std::string()> flag_error;

  // Measures databases in `directory` and prints the results.
  std::function<absl::Status(const std::string& directory)> run;
};

// Returns the exit code for main(): 0, 1 after an error of `run`, 2 after an
// error in the command line. An error is one line on standard error. The
// directory is removed however the program ends (scratch_directory.h).
int RunMeasuringProgram(const MeasuringProgram& program, int argc, char** argv);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
