// Tests of the documents: every command "    $ oneline size ..." that they show
// prints what is shown below it; every link leads to a file, and to a heading
// if it names one; and the version is the same wherever it is written.

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "oneline/version.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

constexpr char kPrompt[] = "    $ oneline size ";

bool BeginsWith(const std::string& line, const std::string& beginning) {
  return line.compare(0, beginning.size(), beginning) == 0;
}

// Indented as pages show it, without the lines at the end that are empty.
std::string AsShown(const std::string& output) {
  std::string shown;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    shown += (line.empty() ? "" : "    " + line) + "\n";
  }
  return shown.substr(0, shown.find_last_not_of('\n') + 1);
}

// Returns how many commands there are.
int ExpectOutputsAsShown(const std::string& path) {
  std::ifstream page(path);
  int commands = 0;
  std::string line;
  std::getline(page, line);
  while (page) {
    if (!BeginsWith(line, kPrompt)) {
      std::getline(page, line);
      continue;
    }
    ++commands;
    const std::string command = line.substr(sizeof("    $ ") - 1);
    std::string shown;
    while (std::getline(page, line) &&
           (line.empty() || BeginsWith(line, "    ")) &&
           !BeginsWith(line, kPrompt)) {
      shown += line + "\n";
    }
    shown = shown.substr(0, shown.find_last_not_of('\n') + 1);
    const Finished program = RunProgram("tools/" + command);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(shown, AsShown(program.out)) << path << ": " << command;
  }
  return commands;
}

TEST(DocsTest, CommandsPrintWhatIsShown) {
  EXPECT_GE(ExpectOutputsAsShown("docs/operations.md"), 1);
  EXPECT_GE(ExpectOutputsAsShown("docs/tools.md"), 1);
}

std::vector<std::string> Pages() {
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           ".", std::filesystem::directory_options::follow_directory_symlink)) {
    if (entry.path().extension() == ".md") {
      pages.push_back(entry.path().lexically_normal().string());
    }
  }
  return pages;
}

// The name that a link gives to a heading: its letters in lower case, digits,
// hyphens, and hyphens for blanks.
std::string Anchor(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' ||
               c == '_') {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

std::set<std::string> AnchorsOf(const std::string& path) {
  std::set<std::string> anchors;
  std::ifstream page(path);
  for (std::string line; std::getline(page, line);) {
    const size_t hashes = line.find_first_not_of('#');
    if (hashes == 0 || hashes == std::string::npos || line[hashes] != ' ') {
      continue;
    }
    anchors.insert(Anchor(line.substr(hashes + 1)));
  }
  return anchors;
}

// The targets of the page's links "[text](target)", but for those of the web.
std::vector<std::string> LinksOf(const std::string& path) {
  std::vector<std::string> links;
  const std::string page = ReadWholeFile(path);
  for (size_t at = 0; (at = page.find("](", at)) != std::string::npos;) {
    at += 2;
    const std::string link = page.substr(at, page.find(')', at) - at);
    if (link.find("://") == std::string::npos) links.push_back(link);
  }
  return links;
}

// Whether a link of this page leads somewhere.
bool Resolves(const std::string& page, const std::string& link) {
  const size_t hash = link.find('#');
  const std::string file = link.substr(0, hash);
  const std::string path =
      file.empty() ? page
                   : (std::filesystem::path(page).parent_path() / file)
                         .lexically_normal()
                         .string();
  if (!std::filesystem::exists(path)) return false;
  return hash == std::string::npos ||
         AnchorsOf(path).count(link.substr(hash + 1)) == 1;
}

TEST(DocsTest, LinksLeadSomewhere) {
  const std::vector<std::string> pages = Pages();
  size_t links = 0;
  for (const std::string& page : pages) {
    for (const std::string& link : LinksOf(page)) {
      EXPECT_TRUE(Resolves(page, link)) << page << ": " << link;
      ++links;
    }
  }
  EXPECT_GE(pages.size(), 14u);
  EXPECT_GE(links, 80u);
  EXPECT_FALSE(Resolves("README.md", "docs/no_such_page.md"));
  EXPECT_FALSE(Resolves("README.md", "docs/options.md#no-such-heading"));
}

// The cells with figures in the tables of a text, without the first of each row
// and without headings.
std::vector<std::string> FiguresIn(const std::string& text) {
  std::vector<std::string> figures;
  std::istringstream in(text);
  bool below_heading = false;
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, 4, "|---") == 0) below_heading = true;
    if (line[0] != '|') below_heading = false;
    if (!below_heading) continue;
    std::istringstream row(line);
    std::string cell;
    std::getline(row, cell, '|');
    std::getline(row, cell, '|');
    while (std::getline(row, cell, '|')) {
      if (cell.find_first_of("0123456789") == cell.npos) continue;
      figures.push_back(cell.substr(1, cell.size() - 2));
    }
  }
  return figures;
}

std::vector<std::string> NotIn(const std::string& measured,
                               const std::vector<std::string>& figures) {
  std::vector<std::string> missing;
  for (const std::string& figure : figures) {
    if (measured.find(" " + figure) == measured.npos) {
      missing.push_back(figure);
    }
  }
  return missing;
}

TEST(DocsTest, FiguresAreThoseMeasured) {
  const std::string measured = ReadWholeFile("docs/internals/measurements.md");
  const std::vector<std::string> figures =
      FiguresIn(ReadWholeFile("docs/performance.md"));
  EXPECT_GE(figures.size(), 80u);
  EXPECT_EQ(NotIn(measured, figures), std::vector<std::string>());
  const std::string altered =
      "| | absent |\n|---|---|\n| AVX2 | 10.47 (1.40) |\n";
  EXPECT_EQ(NotIn(measured, FiguresIn(altered)),
            std::vector<std::string>({"10.47 (1.40)"}));
}

TEST(DocsTest, VersionIsTheSameEverywhere) {
  const std::string version = ONELINE_VERSION;
  EXPECT_NE(ReadWholeFile("MODULE.bazel").find("    version = \"" + version),
            std::string::npos);
  EXPECT_NE(ReadWholeFile("docs/installing.md")
                .find("bazel_dep(name = \"oneline\", version = \"" + version),
            std::string::npos);
  const std::string changes = ReadWholeFile("CHANGELOG.md");
  EXPECT_EQ(changes.find("\n## ") + 1, changes.find("## " + version));
  EXPECT_EQ(
      ReadWholeFile("third_party/debian/changelog").find("oneline (" + version),
      0u);
}

}  // namespace
}  // namespace oneline
