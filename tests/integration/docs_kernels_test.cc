// Tests of the places that must name each instruction set and each kernel
// (CONTRIBUTING.md, "Add a kernel"). One that is missing there would cost speed
// or words, and no answer.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "table/simd/instruction_sets.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

// What the pattern's first group matches in the files of the folder.
std::set<std::string> Found(const std::string& folder, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cc") continue;
    const std::string text = ReadWholeFile(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end;
         ++i) {
      found.insert(i->str(1));
    }
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

TEST(DocsKernelsTest, EachKernelIsInTheListOfItsFolder) {
  for (const char* folder :
       {"table/bloom", "table/ribbon", "table/ribbon_solver"}) {
    const std::set<std::string> defined = Found(
        folder, "constexpr (?:ProbeKernel|Solver) k(\\w+)(?:Kernel|Solver) =");
    EXPECT_GE(defined.size(), 3u) << folder;
    EXPECT_EQ(
        defined,
        Found(folder, "\\{InstructionSet::k\\w+, &k(\\w+)(?:Kernel|Solver)\\}"))
        << folder;
  }
}

}  // namespace
}  // namespace oneline
