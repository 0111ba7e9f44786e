// Tests of the documents: every link leads to a file, and to a heading if it
// names one; tables and sentences have the figures that were measured.

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/run_program.h"
#include "tests/temporary_directory.h"

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
// In programs these are lambdas.
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
  int tables = 0;
  for (const std::string& page : Pages()) {
    EXPECT_EQ(WrongLineOf(page), "") << page;
    const std::string text = ReadWholeFile(page);
    for (size_t at = 0; (at = text.find("\n<!-- figures of ", at)) != text.npos;
         ++at) {
      ++tables;
    }
  }
  EXPECT_GE(tables, 20);
}

TEST(DocsTest, WrongFiguresInTablesAreFound) {
  const TemporaryDirectory directory;
  std::ofstream(directory.File("new.tsv"))
      << "date\ttoday\n"
         "absent keys, paths\tours\tratio\t1.39\t1.31\t1.40\n"
         "absent keys, counters\tours\tratio\t1.49\t1.47\t1.53\n"
         "absent keys, paths\tours\tns\t250\t\t\n";
  const auto filled = [&](const std::string& quantity, const std::string& row) {
    const std::string begin =
        "<!-- figures of new: " + quantity + " -->\n| | ours |\n|---|---|\n";
    std::ofstream(directory.File("page.md")) << begin << row << "\n\n| 7 |\n";
    const Finished run =
        RunProgram("awk -v folder=" + directory.path() +
                   " -f bench/report/tables.awk " + directory.File("page.md"));
    return run.exit_code == 0
               ? run.out.substr(begin.size(),
                                run.out.find('\n', begin.size()) - begin.size())
               : run.err;
  };
  EXPECT_EQ(filled("ratio", "| absent keys, paths | 1.38 (1.31-1.40) |"),
            "| absent keys, paths | 1.39 (1.31-1.40) |");
  EXPECT_EQ(filled("absent keys, paths", "| ratio |"),
            "| ratio | 1.39 (1.31-1.40) |");
  EXPECT_EQ(filled("ns (ratio)", "| absent keys, paths | |"),
            "| absent keys, paths | 250 (1.39) |");
  EXPECT_EQ(filled("ratio", "| absent keys | 1.39 to 1.48 |"),
            "| absent keys | 1.39 to 1.49 |");
  EXPECT_EQ(filled("ratio", "| present keys | 1 |"),
            "error: no figures of: present keys\n");
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

// What a page says outside of tables: all such results are in these bounds.
struct Quote {
  const char* page;
  const char* phrase;
  double least, most;
  const char *maker, *of, *filter;
  const char* by = nullptr;  // what is in the bounds are ratios to this filter
  const char* quantity = "ratio";
};
constexpr char kReadme[] = "README.md", kPage[] = "docs/performance.md",
               kLevelDB[] = "docs/leveldb.md",
               kOperations[] = "docs/operations.md";
constexpr char kRates[] = "false positives, 10 bits per key";
constexpr char kAbsent[] = "absent key, 1 MB", kPresent[] = "present key, 1 MB";
constexpr char kOptions[] = "docs/options.md", kEngines[] = "docs/engines.md",
               kAllocation[] = "docs/internals/allocation.md",
               kMeasurements[] = "docs/internals/measurements.md",
               kMembership[] = "membership/README.md";
constexpr char kBest[] = "our Ribbon, AVX-512";
constexpr char kUniform[] = "of uniform, median";
constexpr char kAvx2[] = "our Ribbon, AVX2 and VPCLMULQDQ";
constexpr char kPclmul[] = "our Ribbon, PCLMULQDQ";
constexpr char kTheirs[] = "RocksDB's Ribbon";
constexpr char kWithoutAvx2[] = "RocksDB's Bloom, Debian's";
constexpr Quote kQuotes[] = {
    {kReadme, "a sixth of the false positives", 0.15, 0.18, "amd", kRates,
     "our Ribbon"},
    {kReadme, "it has 1.2 times the false positives", 1.15, 1.25, "amd", kRates,
     "our Ribbon", kTheirs, "%"},
    {kReadme, "a third of the lookup's time", 0.25, 0.4, "amd", kAbsent, kAvx2,
     kTheirs},
    {kReadme, "a third to two thirds of the build's", 0.3, 0.4, "amd",
     "build, 10 bits per key", kBest, kTheirs},
    {kReadme, "a third to two thirds of the build's", 0.6, 0.7, "amd",
     "build, 7 bits per key", kAvx2, kTheirs},
    {kReadme, "1.4 to 1.5 times as long as in RocksDB's Bloom with AVX-512",
     1.35, 1.55, "amd", kAbsent, kBest},
    {kReadme, "1.5 to 1.8 times with AVX2", 1.45, 1.55, "amd", kAbsent, kAvx2},
    {kReadme, "1.5 to 1.8 times with AVX2", 1.75, 1.85, "intel", kAbsent,
     kAvx2},
    {kReadme, "a build 3.3 to 4.3 times", 3.25, 3.35, "amd",
     "build, 10 bits per key", kBest},
    {kReadme, "a build 3.3 to 4.3 times", 4.25, 4.35, "amd",
     "build, 10 bits per key", kAvx2},
    {kPage, "a sixth of those of RocksDB's Bloom", 0.15, 0.18, "amd", kRates,
     "our Ribbon"},
    {kPage, "1.2 times those of RocksDB's Ribbon", 1.15, 1.25, "amd", kRates,
     "our Ribbon", kTheirs, "%"},
    {kPage, "1 % takes 7.0 bits per key instead of 9.9", 0.99, 1.01, "amd",
     "false positives, 7 bits per key", "our Ribbon", nullptr, "%"},
    {kPage, "1.4 to 1.5 times as long as in RocksDB's Bloom with AVX-512", 1.35,
     1.55, "amd", kAbsent, kBest},
    {kPage, "1.4 to 1.5 times as long as in RocksDB's Bloom with AVX-512", 1.35,
     1.55, "amd", kPresent, kBest},
    {kPage, "1.5 times with AVX2 and VPCLMULQDQ", 1.45, 1.55, "amd", kAbsent,
     kAvx2},
    {kPage, "1.5 times with AVX2 and VPCLMULQDQ", 1.45, 1.55, "amd", kPresent,
     kAvx2},
    {kPage, "1.6 times with PCLMULQDQ alone", 1.55, 1.65, "amd", kAbsent,
     kPclmul},
    {kPage, "1.6 times with PCLMULQDQ alone", 1.55, 1.65, "amd", kPresent,
     kPclmul},
    {kPage, "1.4, 1.8 and 2.0 to 2.1 times as long", 1.35, 1.45, "intel",
     kAbsent, kBest},
    {kPage, "1.4, 1.8 and 2.0 to 2.1 times as long", 1.75, 1.85, "intel",
     kAbsent, kAvx2},
    {kPage, "1.4, 1.8 and 2.0 to 2.1 times as long", 1.95, 2.15, "intel",
     kAbsent, kPclmul},
    {kPage, "1.4, 1.8 and 2.0 to 2.1 times as long", 1.95, 2.15, "intel",
     kPresent, kPclmul},
    {kPage, "a quarter to two fifths of RocksDB's Ribbon", 0.24, 0.33, "amd",
     kAbsent, kBest, kTheirs},
    {kPage, "a quarter to two fifths of RocksDB's Ribbon", 0.35, 0.41, "intel",
     kPresent, kPclmul, kTheirs},
    {kPage, "takes 3.3 times the processor time", 3.25, 3.35, "amd",
     "build, 10 bits per key", kBest},
    {kPage, "4.3 times with AVX2", 4.25, 4.35, "amd", "build, 10 bits per key",
     kAvx2},
    {kPage, "a third to a half of RocksDB's Ribbon", 0.3, 0.5, "amd",
     "build, 10 bits per key", kBest, kTheirs},
    {kPage, "a third to a half of RocksDB's Ribbon", 0.3, 0.5, "amd",
     "build, 10 bits per key", kAvx2, kTheirs},
    {kPage, "Such a load takes 1.05 of the time", 1.045, 1.055, "amd",
     "filling, 500,000 records, sorted", "our Ribbon"},
    {kPage, "a lookup takes 2 to 5 times as long as", 1.9, 5.1, "amd", kAbsent,
     "our Ribbon, portable", kWithoutAvx2},
    {kPage, "a lookup takes 2 to 5 times as long as", 1.9, 5.1, "amd", kPresent,
     "our Ribbon, portable", kWithoutAvx2},
    {kPage, "400 MB takes 1.0 to 1.2 times as long", 0.95, 1.25, "amd",
     "absent key, 400 MB", kBest},
    {kPage, "400 MB takes 1.0 to 1.2 times as long", 0.95, 1.25, "amd",
     "present key, 400 MB", kBest},
    {kPage, "1.1 to 1.4 times with PCLMULQDQ alone", 1.05, 1.4, "amd",
     "absent key, 400 MB", kPclmul},
    {kPage, "1.1 to 1.4 times with PCLMULQDQ alone", 1.05, 1.4, "amd",
     "present key, 400 MB", kPclmul},
    {kOperations, "about 10 bytes per key", 9.5, 10.5, "amd",
     "build, 10 bits per key", kBest, nullptr, "peak bytes per key"},
    {kOperations, "32 ns with AVX-512", 30, 34, "amd", "build, 10 bits per key",
     kBest, nullptr, "ns"},
    {kOperations, "41 ns with AVX2", 39, 43, "amd", "build, 10 bits per key",
     kAvx2, nullptr, "ns"},
    {kOperations, "10 ns in RocksDB's Bloom", 9, 11, "amd",
     "build, 10 bits per key", "RocksDB's Bloom", nullptr, "ns"},
    {kLevelDB, "1.8 to 3.0 times the throughput from the disk", 1.75, 3.0,
     "amd", "LevelDB, absent keys from the disk", "our Ribbon"},
    {kLevelDB, "compactions 1.13 of the time", 1.125, 1.135, "amd",
     "LevelDB, compactions, 200,000 records in random order", "our Ribbon"},
    {kPage, "save 3 of 100 block reads", 0.955, 0.975, "amd",
     "present keys from the disk", "our Ribbon", "RocksDB's Bloom",
     "block reads in 1000"},
    {kPage, "costs a quarter of the Ribbon's build", 0.2, 0.3, "amd",
     "build, 10 bits per key", "our Bloom", kBest, "ns"},
    {kPage, "3.6 to 7.3 times as long as", 3.55, 3.65, "amd", "200 keys",
     "build: our Ribbon, AVX-512"},
    {kPage, "3.6 to 7.3 times as long as", 7.25, 7.35, "amd", "5 keys",
     "build: our Ribbon, AVX-512"},
    {kPage, "2.6 cache lines for an absent key", 2.55, 2.65, "amd",
     "cache lines, absent key, filter at 0 modulo 64", kTheirs, nullptr,
     "lines read"},
    {kPage, "and 5.7 for a present one", 5.65, 5.75, "amd",
     "cache lines, present key, filter at 0 modulo 64", kTheirs, nullptr,
     "lines read"},
    {kPage, "Here it takes 9 to 12 times", 8.5, 9.5, "amd",
     "build, 10 bits per key", kTheirs},
    {kPage, "Here it takes 9 to 12 times", 11.5, 12.5, "amd",
     "build, 7 bits per key", kTheirs},
    {kLevelDB, "1.05 to 1.08 times from the cache", 1.045, 1.085, "amd",
     "LevelDB, absent keys in the cache", "our Ribbon"},
    {kReadme, "0.6 to 0.8 times", 0.55, 0.85, "levels", "dynamic", "oneline:10",
     nullptr, kUniform},
    {kOptions, "0.6 to 0.8 times", 0.55, 0.85, "levels", "dynamic",
     "oneline:10", nullptr, kUniform},
    {kAllocation, "0.6 to 0.8 times", 0.55, 0.85, "levels", "static",
     "oneline:10", nullptr, kUniform},
    {kMeasurements, "8 % of the charge", 0.915, 0.925, "memory", "jemalloc",
     "our Ribbon, option", "our Ribbon", "charged"},
    {kMeasurements, "3 to 6 % of resident memory", 0.94, 0.97, "memory",
     "jemalloc", "our Ribbon, option", "our Ribbon", "resident"},
    {kOptions, "3 to 6 % of resident memory", 0.94, 0.97, "memory", "jemalloc",
     "our Bloom, option", "our Bloom", "resident"},
    {kMeasurements, "the option saves a sixth", 0.8, 0.85, "memory",
     "jemalloc, aligned", "our Ribbon, partitions, option",
     "our Ribbon, partitions", "resident"},
    {kMembership, "loses 99 and 84 new lines", 99, 99, "sieve",
     "generated URLs", "sieve --capacity", nullptr, "new lines lost"},
    {kMembership, "loses 99 and 84 new lines", 84, 84, "sieve", "Debian paths",
     "sieve --capacity", nullptr, "new lines lost"},
    {kPage, "build takes 9 to 13 bytes per key", 8.5, 13, "amd", "build, ",
     "our Ribbon", nullptr, "peak bytes per key"},
    {kPage, "RocksDB's Ribbon takes 29", 28.5, 29.5, "amd", "build, ", kTheirs,
     nullptr, "peak bytes per key"},
    {kPage, "here 65 to 75 us from the disk", 65, 75, "amd",
     "absent keys from the disk, 8 million records", "RocksDB's Bloom", nullptr,
     "p99, us"},
    {kEngines, "A sixth of the false positives", 0.14, 0.17, "kvrocks",
     "get-absent disk", "oneline", "bloom", "false positives"},
    {kEngines, "present keys 7 to 14 %", 1.065, 1.145, "kvrocks",
     "get-present memory", "oneline", "bloom", "processor seconds"},
    {kEngines, "A tenth of the false positives", 0.09, 0.13, "kafka",
     "deduplication disk", "oneline", "bloom", "false positives"},
    {kEngines, "a quarter more operations a second", 1.2, 1.3, "kafka",
     "deduplication disk", "oneline", "bloom", "operations/s"},
};

// A page without line breaks.
std::string OneLine(const std::string& page) {
  std::istringstream words(ReadWholeFile(page));
  std::string line, word;
  while (words >> word) line += word + " ";
  return line;
}

// So that a new one must be listed.
TEST(DocsTest, ConclusionsQuoteNothingElse) {
  std::string text = OneLine(kPage);
  text.erase(0, text.find("- **False positives.**"));
  text.erase(text.find("## When not"));
  for (const Quote& quote : kQuotes) {
    const size_t at = text.find(quote.phrase);
    if (at != text.npos) text.erase(at, std::strlen(quote.phrase));
  }
  for (size_t at = 0; (at = text.find('.', at + 1)) != text.npos;) {
    EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(text[at + 1])))
        << text.substr(at - 1);
  }
}

TEST(DocsTest, SentencesQuoteFiguresThatWereMeasured) {
  for (const Quote& quote : kQuotes) {
    SCOPED_TRACE(std::string(quote.page) + ": " + quote.phrase);
    EXPECT_NE(OneLine(quote.page).find(quote.phrase), std::string::npos);
    const auto results = [&](const char* filter) {
      return ResultsOf(quote.maker, quote.of, filter, quote.quantity);
    };
    std::vector<double> quoted = results(quote.filter);
    EXPECT_FALSE(quoted.empty());
    for (size_t i = 0; i < quoted.size(); ++i) {
      if (quote.by != nullptr) quoted[i] /= results(quote.by).at(i);
      EXPECT_GE(quoted[i], quote.least);
      EXPECT_LE(quoted[i], quote.most);
    }
  }
}

}  // namespace
}  // namespace oneline
