// Tests of the places that must name each instruction set and each kernel
// (CONTRIBUTING.md, "Add a kernel"). One that is missing there would cost speed
// or words, and no answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "table/simd/instruction_sets.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

// All sources in the folder, one after the other.
std::string SourcesIn(const std::filesystem::path& folder) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cc") text += ReadWholeFile(entry.path());
  }
  return text;
}

// What the pattern's first group matches, in lower case and in order.
std::vector<std::string> Found(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
       ++i) {
    found.push_back(i->str(1));
    for (char& c : found.back()) c = static_cast<char>(std::tolower(c));
  }
  return found;
}

TEST(DocsKernelsTest, EachInstructionSetHasItsWords) {
  const std::string page = ReadWholeFile("docs/options.md");
  const std::string figures = ReadWholeFile("bench/report/figures.awk");
  for (const std::string name : kInstructionSetNames) {
    EXPECT_NE(page.find("\n| `" + name + "` | "), page.npos) << name;
    if (name == "portable") continue;
    EXPECT_NE(figures.find("word[\"" + name + "\"] = "), figures.npos) << name;
  }
}

// As KernelsOf needs them: each for the set of its name, the best last.
TEST(DocsKernelsTest, EachKernelIsInTheListOfItsFolder) {
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator("table")) {
    const std::string text = SourcesIn(entry);
    const std::vector<std::string> defined = Found(
        text, "constexpr (?:ProbeKernel|Solver) k(\\w+)(?:Kernel|Solver) =");
    std::vector<std::string> ordered;
    for (const std::string name : kInstructionSetNames) {
      if (std::count(defined.begin(), defined.end(), name) != 0) {
        ordered.push_back(name);
      }
    }
    EXPECT_EQ(ordered.size(), defined.size()) << entry.path();
    EXPECT_EQ(
        Found(text, "\\{InstructionSet::k(\\w+), &k\\1(?:Kernel|Solver)\\}"),
        ordered)
        << entry.path();
    if (!defined.empty()) ++folders;
  }
  EXPECT_GE(folders, 3);
}

}  // namespace
}  // namespace oneline
