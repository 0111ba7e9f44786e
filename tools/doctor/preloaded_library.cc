#include "tools/doctor/preloaded_library.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// The folders in which the library is, if the program is `root`/tools/oneline
// after a build, or `root`/bin/oneline after an installation.
std::vector<fs::path> Folders(const fs::path& root) {
  std::vector<fs::path> folders = {root, root / "lib", root / "lib64"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "lib", error)) {
    if (absl::StrContains(entry.path().filename().string(), "-linux-gnu")) {
      folders.push_back(entry.path());
    }
  }
  return folders;
}

// Its path; empty if it was not found.
std::string FindLibrary() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : Folders(program.parent_path().parent_path())) {
    for (const char* name :
         {"liboneline_preload.so", "liboneline_preload.so.0"}) {
      const fs::path library = folder / name;
      if (fs::is_regular_file(library, error)) return library.string();
    }
  }
  return "";
}

}  // namespace

std::string WithLibrary(const std::string& command) {
  const std::string library = FindLibrary();
  if (!library.empty()) {
    return absl::StrCat("LD_PRELOAD=", ShellWord(library), " ", command);
  }
  return absl::StrCat(
      "test -f \"${LIBONELINE:?is the path of liboneline_preload.so}\""
      " && LD_PRELOAD=$LIBONELINE ",
      command);
}

}  // namespace oneline
