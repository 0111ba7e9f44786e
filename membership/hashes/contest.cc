// Repeats an often quoted contest of eight well-known string hash functions and
// adds three newer ones. Prints the number of collisions of each, beside the
// numbers as published, and the false-positive rate of a Bloom filter that uses
// the function.
// Usage: contest [WORDS]
//
// WORDS is a file with English words, one per line, from which it makes
// sentences; the default is the list of Debian's package wamerican. Every run
// prints the same numbers, except for absl::Hash, which is another function in
// each process. Exit code: 0; 2 if there is no such list.

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "membership/filters/classic_model.h"
#include "membership/hashes/hash_contest.h"
#include "membership/hashes/string_hash.h"

namespace oneline {
namespace {

constexpr char kDefaultWords[] = "/usr/share/dict/american-english";
constexpr size_t kMinWords = 1000;

// The Bloom filter has ten bits for each string, and the best number of hashes
// for that.
constexpr uint32_t kFilterBits = kSmallTable;
constexpr int kFilterHashes = 7;

void Print(const ContestRow &row) {
  for (uint64_t collisions : row.collisions) absl::PrintF("%7d", collisions);
}

void Print(const ContestMarks &marks) {
  for (double mark : marks.marks) absl::PrintF("%7.2f", mark);
  absl::PrintF("%8.2f", marks.root_mean_square);
}

// A row for each hash function: of ours, and of those published.
template <typename Row>
void PrintRows(const std::vector<Row> &ours,
               const std::vector<Row> &published) {
  for (size_t i = 0; i < ours.size(); ++i) {
    absl::PrintF("%-12s", kStringHashes[i].name);
    Print(ours[i]);
    if (i < published.size()) {
      absl::PrintF("  ");
      Print(published[i]);
    }
    absl::PrintF("\n");
  }
}

void PrintContest(const std::vector<ContestRow> &ours) {
  const std::vector<ContestRow> published(kPublishedContest.begin(),
                                          kPublishedContest.end());
  absl::PrintF(
      "Collisions of the 31-bit hashes of %d random strings (A) and sentences "
      "(B),\n"
      "and of those of A modulo %d (C) and %d (D)\n\n"
      "%40s  %28s\n%-12s%7s%7s%7s%7s  %7s%7s%7s%7s\n",
      kContestStrings, kSmallTable, kLargeTable, "here", "as published", "",
      "A", "B", "C", "D", "A", "B", "C", "D");
  PrintRows(ours, published);
  absl::PrintF("%-12s", "random");
  for (double range :
       {0x1p31, 0x1p31, double{kSmallTable}, double{kLargeTable}}) {
    absl::PrintF("%7.0f", ExpectedCollisions(kContestStrings, range));
  }
  absl::PrintF(
      "   by chance\n\n"
      "Marks: 0 for the most collisions, 100 for the fewest; \"mean\" is their "
      "root mean square\n\n"
      "%48s  %36s\n%-12s%7s%7s%7s%7s%8s  %7s%7s%7s%7s%8s\n",
      "here", "as published", "", "A", "B", "C", "D", "mean", "A", "B", "C",
      "D", "mean");
  PrintRows(Marks(ours), Marks(published));
}

// Strings that are in the filter, and as many that are not.
struct Strings {
  std::vector<std::string> members, absent;
};

void PrintFilters(const Strings &random, const Strings &sentences) {
  absl::PrintF(
      "\nFalse-positive rate of a Bloom filter with %d bits, %d strings and %d "
      "hashes,\n"
      "where hash i is the function applied to the byte i followed by the "
      "string\n\n"
      "%-12s%10s%10s\n",
      kFilterBits, kContestStrings, kFilterHashes, "", "A", "B");
  for (const StringHash &hash : kStringHashes) {
    absl::PrintF("%-12s", hash.name);
    for (const Strings *strings : {&random, &sentences}) {
      absl::PrintF("%9.3f%%", 100 * BloomFpRate(hash.hash, strings->members,
                                                strings->absent, kFilterBits,
                                                kFilterHashes));
    }
    absl::PrintF("\n");
  }
  const double theory =
      100 *
      ClassicBloomFpRate(double{kFilterBits} / kContestStrings, kFilterHashes);
  absl::PrintF("%-12s%9.3f%%%9.3f%%   in theory\n", "random", theory, theory);
}

int Run(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word);) {
    if (!word.empty()) words.push_back(word);
  }
  if (words.size() < kMinWords) {
    absl::FPrintF(stderr,
                  "contest: %s: has %d words, one per line; at least %d are "
                  "needed: install wamerican, or give another list\n",
                  path, words.size(), kMinWords);
    return 2;
  }
  const Strings random = {RandomStrings(kContestStrings, /*seed=*/1),
                          RandomStrings(kContestStrings, /*seed=*/2)};
  const Strings sentences = {Sentences(words, kContestStrings, /*seed=*/1),
                             Sentences(words, kContestStrings, /*seed=*/2)};
  std::vector<ContestRow> rows;
  for (const StringHash &hash : kStringHashes) {
    rows.push_back(Compete(hash, random.members, sentences.members));
  }
  PrintContest(rows);
  PrintFilters(random, sentences);
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char **argv) {
  return oneline::Run(argc > 1 ? argv[1] : oneline::kDefaultWords);
}
