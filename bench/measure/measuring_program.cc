#include "bench/measure/measuring_program.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

std::string& Directory() {
  static auto& directory = *new std::string;
  return directory;
}

std::FILE* results = stdout;

void RemoveDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(Directory(), ignored);
}

}  // namespace

void Fail(const std::string& error) {
  std::fprintf(stderr, "error: %s\n", error.c_str());
  std::fflush(nullptr);
  RemoveDirectory();
  std::_Exit(1);  // other threads may use what destructors would destroy
}

void PrintResult(const std::string& of, const std::string& filter,
                 const std::string& quantity, double value) {
  std::fprintf(results, "%s\t%s\t%s\t%.10g\n", of.c_str(), filter.c_str(),
               quantity.c_str(), value);
  std::fflush(results);
}

void KeepResults(const std::string& file, const std::function<void()>& print) {
  const std::string unfinished = file + ".unfinished";
  results = std::fopen(unfinished.c_str(), "w");
  if (results == nullptr) Fail("cannot write " + unfinished);
  print();
  if (std::fclose(std::exchange(results, stdout)) != 0) {
    Fail("cannot write " + unfinished);
  }
  std::filesystem::rename(unfinished, file);
}

int RunMeasuringProgram(const MeasuringProgram& program, int argc,
                        char** argv) {
  absl::SetProgramUsageMessage(program.usage);
  const std::vector<char*> words = absl::ParseCommandLine(argc, argv);
  const std::string error =
      words.size() > 1 ? absl::StrCat("unexpected argument '", words[1], "'")
                       : program.flag_error();
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 2;
  }
  const char* const parent = std::getenv("TMPDIR");
  std::string directory =
      absl::StrCat(parent == nullptr || *parent == '\0' ? "/tmp" : parent,
                   "/oneline-bench-XXXXXX");
  if (mkdtemp(directory.data()) == nullptr) {
    Fail(absl::StrCat("cannot create a directory ", directory));
  }
  Directory() = directory;
  program.run(directory);
  RemoveDirectory();
  return 0;
}

}  // namespace oneline
