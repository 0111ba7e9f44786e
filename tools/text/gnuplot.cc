#include "tools/text/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

extern char** environ;

namespace oneline {
namespace {

// The paths of the files written on the way to a plot. Removes them at the end.
class TemporaryFiles {
 public:
  explicit TemporaryFiles(const std::string& path)
      : script(absl::StrCat(path, ".", getpid(), ".gnuplot")),
        errors(absl::StrCat(path, ".", getpid(), ".errors")),
        svg(absl::StrCat(path, ".", getpid(), ".part")) {}
  ~TemporaryFiles() {
    std::error_code ignored;
    for (const std::string& file : {script, errors, svg}) {
      std::filesystem::remove(file, ignored);
    }
  }

  const std::string script;
  const std::string errors;
  const std::string svg;
};

// The first line of gnuplot's output that is a message ("FILE line N: ...").
std::string FirstError(const std::string& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.find(": ") != line.npos) {
      return std::string(absl::StripAsciiWhitespace(line));
    }
  }
  return "no reason was given";
}

absl::Status RunGnuplot(const TemporaryFiles& files) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO,
                                   files.errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  std::string program = "gnuplot", script = files.script;
  char* const arguments[] = {program.data(), script.data(), nullptr};
  pid_t pid;
  const int error = posix_spawnp(&pid, program.c_str(), &actions, nullptr,
                                 arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    return absl::FailedPreconditionError(
        "--svg needs the program gnuplot, which is not installed (Debian:"
        " apt install gnuplot-nox)");
  }
  if (error != 0) {
    return absl::InternalError(
        absl::StrCat("gnuplot can't be started: ", std::strerror(error)));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return absl::InternalError(
        absl::StrCat("gnuplot failed: ", FirstError(files.errors)));
  }
  return absl::OkStatus();
}

}  // namespace

std::string GnuplotText(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "''"}}), "'");
}

absl::Status WriteSvg(const std::string& script, int width, int height,
                      const std::string& path) {
  const TemporaryFiles files(path);
  std::ofstream file(files.script);
  file << absl::StrFormat(
              "set terminal svg size %d,%d noenhanced font 'sans-serif,13'"
              " background rgb 'white'\nset output %s\n",
              width, height, GnuplotText(files.svg))
       << script << "\nunset output\n";
  file.close();
  if (!file) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": can't be written: ", std::strerror(errno)));
  }
  const absl::Status status = RunGnuplot(files);
  if (!status.ok()) return status;
  std::error_code error;
  std::filesystem::rename(files.svg, path, error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": can't be written: ", error.message()));
  }
  return absl::OkStatus();
}

}  // namespace oneline
