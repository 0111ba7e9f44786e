// What programs that measure have in common: their flags are checked, an error
// ends them with one line, and they print results for bench/report/figures.awk.

#ifndef ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
#define ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_

#include <functional>
#include <string>

namespace oneline {

struct MeasuringProgram {
  const char* usage;  // what it does, for --help

  // Returns what is wrong with the flags; empty if nothing is.
  std::function<std::string()> flag_error;

  // Measures databases in `directory`, which is empty.
  std::function<void(const std::string& directory)> run;
};

// Returns the exit code for main(), 2 after an error in the command line. The
// directory is a new one in ${TMPDIR:-/tmp}. It is removed when the program
// ends, but not after a signal: scripts remove theirs (bench/report/begin.sh).
int RunMeasuringProgram(const MeasuringProgram& program, int argc, char** argv);

// Ends the program with this error, and the exit code 1.
[[noreturn]] void Fail(const std::string& error);

// Fails unless the status of RocksDB or Abseil is OK.
template <typename Status>
void Check(const Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

// Prints one result: a quantity of a filter in a case, such as "absent keys
// from disk, 1 million records". Of several rounds each prints its own.
void PrintResult(const std::string& of, const std::string& filter,
                 const std::string& quantity, double value);

// Makes the file of what `print` prints, whole or not at all.
void KeepResults(const std::string& file, const std::function<void()>& print);

}  // namespace oneline

#endif  // ONELINE_BENCH_MEASURE_MEASURING_PROGRAM_H_
