// Tests of the documents: every link leads to a file, and to a heading if it
// names one; tables and sentences have the figures that were measured; every
// command "    $ oneline size ..." that they show prints what is shown below
// it; the version is the same wherever it is written.

#include <cctype>

#include "oneline/version.h"
#include "tests/testing.h"

namespace oneline {
namespace {

bool BeginsWith(const std::string& line, const std::string& beginning) {
  return line.compare(0, beginning.size(), beginning) == 0;
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
    if (hashes != 0 && hashes != std::string::npos && line[hashes] == ' ') {
      anchors.insert(Anchor(line.substr(hashes + 1)));
    }
  }
  return anchors;
}

// The targets of the page's links "[text](target)", but for those of the web.
std::vector<std::string> LinksOf(const std::string& path) {
  std::vector<std::string> links;
  std::string page = ReadWholeFile(path);
  for (size_t at = 0;
       (at = page.find("\n```cpp\n", at)) != std::string::npos;) {
    page.erase(at, page.find("\n```\n", at) - at);
  }
  for (size_t at = 0; (at = page.find("](", at)) != std::string::npos;) {
    at += 2;
    const std::string link = page.substr(at, page.find(')', at) - at);
    // What has a blank is a lambda of an indented program.
    if (link.find("://") != link.npos || link.find(' ') != link.npos) continue;
    links.push_back(link);
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

constexpr char kFigures[] = "docs/internals/figures";

// The first line of a page that is not as `make measure-tables` writes it.
std::string WrongLineOf(const std::string& page) {
  const Finished run = RunProgram("awk -f bench/report/tables.awk " + page);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::istringstream written(run.out);
  std::ifstream lines(page);
  std::string line, as_written;
  while (std::getline(lines, line)) {
    if (!std::getline(written, as_written) || line != as_written) return line;
  }
  return "";
}

TEST(DocsTest, TablesHaveTheFiguresThatWereMeasured) {
  for (const std::string& page : Pages()) EXPECT_EQ(WrongLineOf(page), "");
}

// And each measured gain is within 10 % of the formula's.
TEST(DocsTest, GainsAreThoseOfTheFormula) {
  const std::string figures = kFigures;
  const Finished run =
      RunProgram("awk -f bench/report/gains.awk " + figures + "/large.tsv");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, ReadWholeFile(figures + "/gains.tsv"));
}

// The results of a file whose case is this one or, if there is none, begins
// with it.
std::vector<double> ResultsOf(const std::string& maker, const std::string& of,
                              const std::string& filter,
                              const std::string& quantity) {
  std::vector<double> exact, beginning;
  std::ifstream file(std::string(kFigures) + "/" + maker + ".tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string name, its_filter, its_quantity, median;
    std::getline(in, name, '\t');
    std::getline(in, its_filter, '\t');
    std::getline(in, its_quantity, '\t');
    std::getline(in, median, '\t');
    if (its_filter != filter || its_quantity != quantity) continue;
    if (name == of) exact.push_back(std::stod(median));
    if (BeginsWith(name, of)) beginning.push_back(std::stod(median));
  }
  return exact.empty() ? beginning : exact;
}

// A page without line breaks.
std::string OneLine(const std::string& page) {
  std::istringstream words(ReadWholeFile(page));
  std::string line, word;
  while (words >> word) line += word + " ";
  return line;
}

// What pages say outside of tables: all such results are in these bounds
// (quotes.txt).
TEST(DocsTest, SentencesQuoteFiguresThatWereMeasured) {
  std::ifstream file(std::string(kFigures) + "/quotes.txt");
  int quotes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    SCOPED_TRACE(line);
    ++quotes;
    std::istringstream in(line);
    std::vector<std::string> field;
    for (std::string one; std::getline(in, one, '\t');) field.push_back(one);
    ASSERT_EQ(field.size(), 9u);
    EXPECT_NE(OneLine(field[0]).find(field[1]), std::string::npos);
    const auto results = [&](const std::string& filter) {
      return ResultsOf(field[4], field[5], filter, field[8]);
    };
    std::vector<double> quoted = results(field[6]);
    EXPECT_FALSE(quoted.empty());
    for (size_t i = 0; i < quoted.size(); ++i) {
      if (!field[7].empty()) quoted[i] /= results(field[7]).at(i);
      EXPECT_GE(quoted[i], std::stod(field[2]));
      EXPECT_LE(quoted[i], std::stod(field[3]));
    }
  }
  EXPECT_GE(quotes, 60);
}

// Each command `oneline size` that a page shows, in an indented block with what
// it prints below it.
TEST(DocsTest, CommandsPrintWhatIsShown) {
  for (const char* path : {"docs/operations.md", "docs/tools.md"}) {
    std::ifstream page(path);
    std::string command, shown;
    int commands = 0;
    const auto expect = [&] {
      if (command.empty()) return;
      const Finished program = RunProgram("tools/" + command);
      EXPECT_EQ(program.exit_code, 0) << program.err;
      EXPECT_EQ(shown.substr(0, shown.find_last_not_of('\n') + 1),
                program.out.substr(0, program.out.find_last_not_of('\n') + 1))
          << path << ": " << command;
      ++commands;
    };
    for (std::string line; std::getline(page, line);) {
      const bool is_shown = line.empty() || BeginsWith(line, "    ");
      const bool is_command = BeginsWith(line, "    $ oneline size ");
      if (is_shown && !is_command) {
        shown += (line.empty() ? "" : line.substr(4)) + "\n";
        continue;
      }
      expect();
      command = is_command ? line.substr(6) : "";
      shown.clear();
    }
    expect();
    EXPECT_GE(commands, 1) << path;
  }
}

TEST(DocsTest, VersionIsTheSameEverywhere) {
  const std::string version = ONELINE_VERSION;
  const std::string changes = ReadWholeFile("CHANGELOG.md");
  // What the next release has so far stands above the last one.
  const bool has_more = BeginsWith(changes, "# Changelog\n\n## Since ");
  EXPECT_EQ(changes.find("\n## ", has_more ? 20 : 0) + 1,
            changes.find("## " + version));
  EXPECT_EQ(
      ReadWholeFile("third_party/debian/changelog").find("oneline (" + version),
      0u);
}

}  // namespace
}  // namespace oneline
