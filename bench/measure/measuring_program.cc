#include "bench/measure/measuring_program.h"

#include <cstdio>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/measure/scratch_directory.h"

namespace oneline {

int RunMeasuringProgram(const MeasuringProgram& program, int argc,
                        char** argv) {
  absl::SetProgramUsageMessage(program.usage);
  const std::vector<char*> words = absl::ParseCommandLine(argc, argv);
  const std::string error =
      words.size() > 1 ? absl::StrCat("unexpected argument '", words[1], "'")
                       : program.flag_error();
  if (!error.empty()) {
    absl::FPrintF(stderr, "error: %s\n", error);
    return 2;
  }
  return RunInScratchDirectory(program.name, [&](const std::string& directory) {
    const absl::Status status = program.run(directory);
    if (status.ok()) return 0;
    absl::FPrintF(stderr, "error: %s\n", status.message());
    return 1;
  });
}

}  // namespace oneline
