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

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "membership/filters/classic_model.h"
#include "membership/hashes/hash_contest.h"
#include "membership/hashes/string_hash.h"

namespace oneline {
namespace {

// The word list of Debian's package wamerican.
constexpr char kDefaultWords[] = "/usr/share/dict/american-english";
constexpr size_t kMinWords = 1000;

// Fixed, so that every run prints the same numbers (except for absl::Hash).
constexpr uint64_t kSeed = 1;

// The Bloom filter has ten bits for each string, and the best number of hashes
// for that.
constexpr uint32_t kFilterBits = kSmallTable;
constexpr int kFilterHashes = 7;

absl::StatusOr<std::vector<std::string>> ReadWords(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word);) {
    if (!word.empty()) words.push_back(word);
  }
  if (!file.is_open()) {
    return absl::NotFoundError(absl::StrCat(
        path, ": can't be read; install wamerican, or give another word list"));
  }
  if (words.size() < kMinWords) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": has ", words.size(), " words, one per line; at least ",
        kMinWords, " are needed"));
  }
  return words;
}

// The strings of a set, and as many that are absent from it.
struct Strings {
  std::vector<std::string> members;
  std::vector<std::string> absent;
};
Strings Halves(std::vector<std::string> all) {
  const auto middle = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
  return {{all.begin(), middle}, {middle, all.end()}};
}

void PrintRow(const ContestRow& row) {
  for (uint64_t collisions : row.collisions) absl::PrintF("%7d", collisions);
}

void PrintRow(const ContestMarks& marks) {
  for (double mark : marks.marks) absl::PrintF("%7.2f", mark);
  absl::PrintF("%8.2f", marks.root_mean_square);
}

// A row for each hash function: of `ours`, and of `published` where it is in.
template <typename Ours, typename Published>
void PrintRows(const std::vector<ContestRow>& names, const Ours& ours,
               const Published& published) {
  for (size_t i = 0; i < names.size(); ++i) {
    absl::PrintF("%-12s", names[i].name);
    PrintRow(ours[i]);
    if (i < published.size()) {
      absl::PrintF("  ");
      PrintRow(published[i]);
    }
    absl::PrintF("\n");
  }
}

void PrintContest(const std::vector<ContestRow>& rows) {
  absl::PrintF(
      "Collisions of the 31-bit hashes of %d random strings (A) and sentences "
      "(B),\n"
      "and of those of A modulo %d (C) and %d (D)\n\n"
      "%-12s%28s  %28s\n%-12s%7s%7s%7s%7s  %7s%7s%7s%7s\n",
      kContestStrings, kSmallTable, kLargeTable, "", "here", "as published", "",
      "A", "B", "C", "D", "A", "B", "C", "D");
  PrintRows(rows, rows, kPublishedContest);
  absl::PrintF("%-12s%7.0f%7.0f%7.0f%7.0f   by chance\n\n", "random",
               ExpectedCollisions(kContestStrings, 0x1p31),
               ExpectedCollisions(kContestStrings, 0x1p31),
               ExpectedCollisions(kContestStrings, kSmallTable),
               ExpectedCollisions(kContestStrings, kLargeTable));
}

void PrintMarks(const std::vector<ContestRow>& rows) {
  const std::vector<ContestMarks> ours = Marks(rows);
  const std::vector<ContestMarks> published =
      Marks({kPublishedContest.begin(), kPublishedContest.end()});
  absl::PrintF(
      "Marks: 0 for the most collisions, 100 for the fewest; \"mean\" is their "
      "root mean square\n\n"
      "%-12s%36s  %36s\n%-12s%7s%7s%7s%7s%8s  %7s%7s%7s%7s%8s\n",
      "", "here", "as published", "", "A", "B", "C", "D", "mean", "A", "B", "C",
      "D", "mean");
  PrintRows(rows, ours, published);
}

void PrintFilters(const Strings& random, const Strings& sentences) {
  absl::PrintF(
      "\nFalse-positive rate of a Bloom filter with %d bits, %d strings and %d "
      "hashes,\n"
      "where hash i is the function applied to the byte i followed by the "
      "string\n\n"
      "%-12s%10s%10s\n",
      kFilterBits, kContestStrings, kFilterHashes, "", "A", "B");
  for (const StringHash& hash : kStringHashes) {
    absl::PrintF("%-12s", hash.name);
    for (const Strings* strings : {&random, &sentences}) {
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

absl::Status Run(const std::string& path) {
  const absl::StatusOr<std::vector<std::string>> words = ReadWords(path);
  if (!words.ok()) return words.status();
  const Strings random = Halves(RandomStrings(2 * kContestStrings, kSeed));
  const Strings sentences =
      Halves(Sentences(*words, 2 * kContestStrings, kSeed));
  std::vector<ContestRow> rows;
  for (const StringHash& hash : kStringHashes) {
    rows.push_back(Compete(hash, random.members, sentences.members));
  }
  PrintContest(rows);
  PrintMarks(rows);
  PrintFilters(random, sentences);
  return absl::OkStatus();
}

}  // namespace

}  // namespace oneline

int main(int argc, char** argv) {
  const absl::Status status =
      oneline::Run(argc > 1 ? argv[1] : oneline::kDefaultWords);
  if (status.ok()) return 0;
  absl::FPrintF(stderr, "contest: %s\n", status.message());
  return 2;
}
