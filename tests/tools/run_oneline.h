// Runs the built program `oneline`, and compares its output and files.

#ifndef ONELINE_TESTS_TOOLS_RUN_ONELINE_H_
#define ONELINE_TESTS_TOOLS_RUN_ONELINE_H_

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "tests/run_program.h"

namespace oneline {

// `arguments` are parsed by the shell.
inline Finished RunOneline(const std::string& arguments) {
  static const std::string program =
      std::filesystem::absolute("tools/oneline").string();
  return RunProgram(program + " " + arguments);
}

inline bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Expects that the program failed, with one line of error that has `part`.
inline void ExpectRefusal(const Finished& program, const std::string& part) {
  EXPECT_EQ(program.exit_code, 2) << program.out << program.err;
  EXPECT_EQ(program.out, "");
  EXPECT_EQ(std::count(program.err.begin(), program.err.end(), '\n'), 1)
      << program.err;
  EXPECT_TRUE(Contains(program.err, part)) << program.err;
}

// Shell words before a program that is to be refused what it has no permission
// for: root may do it all the same, unless it gives that up.
inline std::string AsUser() {
  return geteuid() == 0
             ? "setpriv --bounding-set=-dac_override,-dac_read_search "
             : "";
}

// For every path below `folder`: its size in bytes and the time of its last
// change in nanoseconds.
inline std::map<std::string, std::pair<int64_t, int64_t>> FilesIn(
    const std::string& folder) {
  std::map<std::string, std::pair<int64_t, int64_t>> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    struct stat status {};
    EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
    files[entry.path()] = {
        status.st_size,
        status.st_mtim.tv_sec * int64_t{1000000000} + status.st_mtim.tv_nsec};
  }
  return files;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_RUN_ONELINE_H_
