#include "tools/text/gnuplot.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

// The files written on the way to a plot. Removes them at the end.
struct TemporaryFiles {
  ~TemporaryFiles() {
    std::error_code ignored;
    for (const std::string& file : {script, errors, svg}) {
      std::filesystem::remove(file, ignored);
    }
  }

  const std::string base;  // no other process uses it
  const std::string script = base + ".gnuplot";
  const std::string errors = base + ".errors";
  const std::string svg = base + ".part";
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
  const std::string command =
      absl::StrCat("gnuplot ", ShellWord(files.script), " >/dev/null 2>",
                   ShellWord(files.errors));
  const int status = std::system(command.c_str());
  constexpr int kNoSuchProgram = 127;  // of every shell
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchProgram) {
    return absl::FailedPreconditionError(
        "--svg needs the program gnuplot, which is not installed (Debian:"
        " apt install gnuplot-nox)");
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
  const TemporaryFiles files{absl::StrCat(path, ".", getpid())};
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
