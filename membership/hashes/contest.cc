// Repeats an often quoted contest of eight well-known string hash functions and
// adds three newer ones. Prints the number of collisions of each, beside the
// numbers as published; the marks given for them; and what the contest leaves
// out, the false-positive rate of a Bloom filter that uses the function.
// Usage: contest [WORDS]
//
// WORDS is a file with English words, one per line, from which it makes
// sentences; the default is the list of Debian's package wamerican. Every run
// prints the same numbers, except for absl::Hash, which is another function in
// each process. Exit code: 0; 2 if there is no such list.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_format.h"
#include "membership/filters/classic_model.h"
#include "membership/hashes/string_hash.h"

namespace oneline {
namespace {

constexpr char kDefaultWords[] = "/usr/share/dict/american-english";
constexpr size_t kMinWords = 1000;
constexpr size_t kStrings = 100000;
// Primes: hash tables with ten and a hundred times as many places as there are
// strings.
constexpr uint32_t kSmallTable = 1000003;
constexpr uint32_t kLargeTable = 10000019;
// The Bloom filter has ten bits for each string, and the best number of hashes
// for that.
constexpr uint32_t kFilterBits = kSmallTable;
constexpr int kFilterHashes = 7;

// Of random strings (A), sentences (B), and of A modulo the two primes (C, D).
using Collisions = std::array<uint64_t, 4>;
constexpr std::array<Collisions, kNumClassicHashes> kPublished = {{
    {2, 0, 4774, 481},    // BKDR
    {2, 3, 4754, 493},    // AP
    {2, 2, 4975, 474},    // DJB
    {1, 4, 4761, 506},    // JS
    {1, 0, 4861, 505},    // RS
    {3, 2, 4849, 504},    // SDBM
    {30, 26, 4878, 513},  // PJW
    {30, 26, 4878, 513},  // ELF
}};

using Strings = std::vector<std::string>;

// The first different strings that `draw` returns.
Strings Different(const std::function<std::string()>& draw) {
  std::unordered_set<std::string> seen;
  Strings strings;
  while (strings.size() < kStrings) {
    std::string drawn = draw();
    if (seen.insert(drawn).second) strings.push_back(std::move(drawn));
  }
  return strings;
}

// Of 8 to 24 letters and digits. (std::uniform_int_distribution has other
// results with other standard libraries.)
Strings RandomStrings(uint64_t seed) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::mt19937_64 random(seed);
  return Different([&] {
    std::string s(8 + random() % 17, ' ');
    for (char& c : s) c = kAlphabet[random() % kAlphabet.size()];
    return s;
  });
}

// Of 4 to 12 words, such as "Such words are these."
Strings Sentences(const Strings& words, uint64_t seed) {
  std::mt19937_64 random(seed);
  return Different([&] {
    std::string sentence;
    for (size_t left = 4 + random() % 9; left > 0; --left) {
      sentence += words[random() % words.size()];
      sentence += left > 1 ? ' ' : '.';
    }
    const auto first = static_cast<unsigned char>(sentence[0]);
    sentence[0] = static_cast<char>(std::toupper(first));
    return sentence;
  });
}

// How many strings have the same hash, modulo `modulus`, as an earlier one.
uint64_t CountCollisions(const StringHash& hash, const Strings& strings,
                         uint32_t modulus) {
  std::unordered_set<uint32_t> values;
  for (const std::string& s : strings) values.insert(hash.hash(s) % modulus);
  return strings.size() - values.size();
}

// Of a perfectly random function with `range` values:
// n - range (1 - (1 - 1/range)^n).
double ExpectedCollisions(double range) {
  return kStrings + range * std::expm1(kStrings * std::log1p(-1 / range));
}

// In each discipline the function with the fewest collisions gets 100, the one
// with the most 0, and the others a mark in proportion; then their root mean
// square.
template <typename Rows>
std::vector<std::array<double, 5>> Marks(const Rows& rows) {
  std::vector<std::array<double, 5>> marks(rows.size());
  for (size_t i = 0; i < 4; ++i) {
    const auto [least, most] = std::minmax_element(
        rows.begin(), rows.end(),
        [i](const Collisions& a, const Collisions& b) { return a[i] < b[i]; });
    const auto range = static_cast<double>((*most)[i] - (*least)[i]);
    for (size_t row = 0; row < rows.size(); ++row) {
      const auto better = static_cast<double>((*most)[i] - rows[row][i]);
      marks[row][i] = range == 0 ? 100 : 100 * better / range;
      marks[row][4] += marks[row][i] * marks[row][i] / 4;
    }
  }
  for (auto& mark : marks) mark[4] = std::sqrt(mark[4]);
  return marks;
}

// The fraction of `absent` that pass a Bloom filter of `members`. Position i of
// a string is the hash of the byte i followed by the string: the usual advice
// for making k hash functions of one.
double BloomFpRate(const StringHash& hash, const Strings& members,
                   const Strings& absent) {
  std::vector<bool> bits(kFilterBits);
  const auto bit = [&](int i, const std::string& s) {
    return bits[hash.hash(static_cast<char>(i) + s) % kFilterBits];
  };
  for (const std::string& s : members) {
    for (int i = 0; i < kFilterHashes; ++i) bit(i, s) = true;
  }
  double passed = 0;
  for (const std::string& s : absent) {
    int i = 0;
    while (i < kFilterHashes && bit(i, s)) ++i;
    passed += i == kFilterHashes;
  }
  return passed / static_cast<double>(absent.size());
}

void PrintContest(const std::vector<Collisions>& rows) {
  absl::PrintF(
      "Collisions of the 31-bit hashes of %d random strings (A) and sentences "
      "(B),\nand of those of A modulo %d (C) and %d (D)\n\n"
      "%40s  %28s\n%-12s%7s%7s%7s%7s  %7s%7s%7s%7s\n",
      kStrings, kSmallTable, kLargeTable, "here", "as published", "", "A", "B",
      "C", "D", "A", "B", "C", "D");
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::PrintF("%-12s", kStringHashes[i].name);
    for (uint64_t n : rows[i]) absl::PrintF("%7d", n);
    for (size_t j = 0; i < kPublished.size() && j < 4; ++j) {
      absl::PrintF("%*d", j == 0 ? 9 : 7, kPublished[i][j]);
    }
    absl::PrintF("\n");
  }
  absl::PrintF("%-12s%7.0f%7.0f%7.0f%7.0f   by chance\n\n", "random",
               ExpectedCollisions(0x1p31), ExpectedCollisions(0x1p31),
               ExpectedCollisions(kSmallTable),
               ExpectedCollisions(kLargeTable));
}

void PrintMarks(const std::vector<Collisions>& rows) {
  absl::PrintF(
      "Marks: 0 for the most collisions, 100 for the fewest; \"mean\" is their "
      "root mean square\n\n"
      "%48s  %36s\n%-12s%7s%7s%7s%7s%8s  %7s%7s%7s%7s%8s\n",
      "here", "as published", "", "A", "B", "C", "D", "mean", "A", "B", "C",
      "D", "mean");
  const auto ours = Marks(rows), published = Marks(kPublished);
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::PrintF("%-12s", kStringHashes[i].name);
    for (size_t j = 0; j < 5; ++j) {
      absl::PrintF("%*.2f", j == 4 ? 8 : 7, ours[i][j]);
    }
    for (size_t j = 0; i < published.size() && j < 5; ++j) {
      absl::PrintF("%s%*.2f", j == 0 ? "  " : "", j == 4 ? 8 : 7,
                   published[i][j]);
    }
    absl::PrintF("\n");
  }
}

void PrintFilters(const std::array<Strings, 2>& members,
                  const std::array<Strings, 2>& absent) {
  absl::PrintF(
      "\nFalse-positive rate of a Bloom filter with %d bits, %d strings and %d "
      "hashes,\nwhere hash i is the function applied to the byte i followed by "
      "the string\n\n%-12s%10s%10s\n",
      kFilterBits, kStrings, kFilterHashes, "", "A", "B");
  for (const StringHash& hash : kStringHashes) {
    absl::PrintF("%-12s%9.3f%%%9.3f%%\n", hash.name,
                 100 * BloomFpRate(hash, members[0], absent[0]),
                 100 * BloomFpRate(hash, members[1], absent[1]));
  }
  const double theory =
      100 * ClassicBloomFpRate(double{kFilterBits} / kStrings, kFilterHashes);
  absl::PrintF("%-12s%9.3f%%%9.3f%%   in theory\n", "random", theory, theory);
}

int Run(const std::string& path) {
  std::ifstream file(path);
  Strings words;
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
  const std::array<Strings, 2> members = {RandomStrings(/*seed=*/1),
                                          Sentences(words, /*seed=*/1)};
  const std::array<Strings, 2> absent = {RandomStrings(/*seed=*/2),
                                         Sentences(words, /*seed=*/2)};
  constexpr uint32_t kWhole = uint32_t{1} << 31;
  std::vector<Collisions> rows;
  for (const StringHash& hash : kStringHashes) {
    rows.push_back({CountCollisions(hash, members[0], kWhole),
                    CountCollisions(hash, members[1], kWhole),
                    CountCollisions(hash, members[0], kSmallTable),
                    CountCollisions(hash, members[0], kLargeTable)});
  }
  PrintContest(rows);
  PrintMarks(rows);
  PrintFilters(members, absent);
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::Run(argc > 1 ? argv[1] : oneline::kDefaultWords);
}
