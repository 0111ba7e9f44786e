// Runs another program and keeps what it printed.

#ifndef ONELINE_TESTS_RUN_PROGRAM_H_
#define ONELINE_TESTS_RUN_PROGRAM_H_

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temporary_directory.h"

namespace oneline {

struct Finished {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

inline std::string ReadWholeFile(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path).rdbuf();
  return contents.str();
}

// `command` is for the shell, so that NAME=value before it sets the
// environment of the program alone.
inline Finished RunProgram(const std::string& command) {
  const TemporaryDirectory directory;
  const std::string out = directory.File("out"), err = directory.File("err");
  const int status = std::system((command + " >" + out + " 2>" + err).c_str());
  Finished finished;
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  finished.out = ReadWholeFile(out);
  finished.err = ReadWholeFile(err);
  return finished;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_RUN_PROGRAM_H_
