// Runs the built program `oneline`, and looks at its output and at files.

#ifndef ONELINE_TESTS_TOOLS_RUN_ONELINE_H_
#define ONELINE_TESTS_TOOLS_RUN_ONELINE_H_

#include <sys/stat.h>
#include <unistd.h>

#include "tests/testing.h"
#include "tests/tools/json.h"

namespace oneline {

inline std::string Oneline() {
  return std::filesystem::absolute("tools/oneline").string();
}

// `arguments` are parsed by the shell. `before`: shell words before the
// program, such as environment variables.
inline Finished RunOneline(const std::string& arguments,
                           const std::string& before = "") {
  return RunProgram(before + Oneline() + " " + arguments);
}

// What it printed on standard error but its progress: "" or one line.
inline std::string ErrorsIn(const Finished& program) {
  const size_t begin = program.err.find("oneline");
  return begin == std::string::npos ? "" : program.err.substr(begin);
}

// Whether the text has all of the parts; with the text and the first that it
// lacks if not.
inline testing::AssertionResult ContainsAll(
    const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (text.find(part) != std::string::npos) continue;
    return testing::AssertionFailure() << part << "\nis not in\n" << text;
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult Contains(const std::string& text,
                                         const std::string& part) {
  return ContainsAll(text, {part});
}

// The standard output of a run, which must have this exit code, and tell of an
// error only if it failed.
inline std::string OutputOf(const std::string& arguments, int exit_code = 0,
                            const std::string& before = "") {
  const Finished program = RunOneline(arguments, before);
  EXPECT_EQ(program.exit_code, exit_code) << arguments << "\n"
                                          << program.out << program.err;
  EXPECT_EQ(ErrorsIn(program).empty(), exit_code != 2) << program.err;
  return program.out;
}

// The same with --json.
inline Json RunForJson(const std::string& arguments, int exit_code = 0,
                       const std::string& before = "") {
  return Json::Parse(OutputOf(arguments + " --json", exit_code, before));
}

// Kilobytes of memory that such a run takes at most.
inline uint64_t KilobytesOf(const std::string& arguments) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("kilobytes");
  OutputOf(arguments, 0, "/usr/bin/time -f %M -o " + file + " ");
  return std::strtoull(ReadWholeFile(file).c_str(), nullptr, 10);
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

// For every path below `folder`: the time of its last change in nanoseconds,
// and the contents of files; but not of LOCK: a process that reads and closes
// it loses its lock on it. Without LOG: an open database writes to it at times
// of its own. (Who opens the database leaves a LOG.old.)
inline std::map<std::string, std::pair<int64_t, std::string>> FilesIn(
    const std::string& folder) {
  std::map<std::string, std::pair<int64_t, std::string>> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == "LOG") continue;
    struct stat status {};
    EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
    files[entry.path()] = {
        status.st_mtim.tv_sec * int64_t{1000000000} + status.st_mtim.tv_nsec,
        entry.is_regular_file() && entry.path().filename() != "LOCK"
            ? ReadWholeFile(entry.path())
            : ""};
  }
  return files;
}

// The file of `folder` whose name begins so; of several the last, by name, as
// the newest OPTIONS file is. The folder if there is none.
inline std::string FileOf(const std::string& folder, const std::string& begin) {
  std::string found;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename();
    if (name.rfind(begin, 0) == 0) found = std::max(found, name);
  }
  return folder + "/" + found;
}

inline void RemoveFilesOf(const std::string& folder, const std::string& begin) {
  for (std::string file; (file = FileOf(folder, begin)) != folder + "/";) {
    std::filesystem::remove(file);
  }
}

// Replaces `from`, which must be there, by `to` in a file.
inline void ReplaceIn(const std::string& file, const std::string& from,
                      const std::string& to) {
  std::string text = ReadWholeFile(file);
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " is not in " << text;
  std::ofstream(file, std::ios::binary) << text.replace(at, from.size(), to);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_RUN_ONELINE_H_
