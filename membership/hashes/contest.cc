// Repeats an often quoted contest of eight well-known string hash functions and
// adds two newer ones: the collisions of each and the marks for them, beside
// those published, and the false-positive rate of a Bloom filter that uses it.
//
// Usage: contest [WORDS], a file with English words, one per line, from which
// it makes sentences; by default the list of Debian's package wamerican.

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

constexpr size_t kStrings = 100000;
// Primes: hash tables with ten and a hundred times as many places as there are
// strings.
constexpr uint32_t kSmallTable = 1000003;
constexpr uint32_t kLargeTable = 10000019;
// Ten bits for each string, and the best number of hashes for that.
constexpr uint32_t kFilterBits = kSmallTable;
constexpr int kFilterHashes = 7;

// For each function the collisions of random strings (A), of sentences (B), and
// of A modulo the two primes (C, D); or the marks for them.
using Rows = std::vector<std::vector<double>>;

// In the order of kStringHashes.
Rows Published() {
  return {{2, 0, 4774, 481},   {2, 3, 4754, 493},  {2, 2, 4975, 474},
          {1, 4, 4761, 506},   {1, 0, 4861, 505},  {3, 2, 4849, 504},
          {30, 26, 4878, 513}, {30, 26, 4878, 513}};
}

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
double Collisions(const StringHash& hash, const Strings& strings,
                  uint32_t modulus) {
  std::unordered_set<uint32_t> values;
  for (const std::string& s : strings) values.insert(hash.hash(s) % modulus);
  return static_cast<double>(strings.size() - values.size());
}

// Of a perfectly random function with `range` values:
// n - range (1 - (1 - 1/range)^n).
double ExpectedCollisions(double range) {
  return kStrings + range * std::expm1(kStrings * std::log1p(-1 / range));
}

// In each discipline the function with the fewest collisions gets 100, the one
// with the most 0, and the others a mark in proportion; then their root mean
// square.
Rows Marks(const Rows& rows) {
  Rows marks(rows.size(), std::vector<double>(5));
  for (size_t i = 0; i < 4; ++i) {
    const auto [least, most] = std::minmax_element(
        rows.begin(), rows.end(),
        [i](const auto& a, const auto& b) { return a[i] < b[i]; });
    const double range = (*most)[i] - (*least)[i];
    for (size_t row = 0; row < rows.size(); ++row) {
      const double better = (*most)[i] - rows[row][i];
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

void Print(const Rows& rows, const Rows& published,
           const std::vector<const char*>& columns, int digits) {
  absl::PrintF("%-12s", "");
  for (const char* column : columns) absl::PrintF("%8s", column);
  absl::PrintF("   as published:\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    absl::PrintF("%-12s", kStringHashes[i].name);
    for (double n : rows[i]) absl::PrintF("%8.*f", digits, n);
    if (i < published.size()) {
      for (double n : published[i]) absl::PrintF("%8.*f", digits, n);
    }
    absl::PrintF("\n");
  }
}

void PrintContest(const Rows& rows) {
  absl::PrintF(
      "Collisions of the 31-bit hashes of %d random strings (A) and sentences "
      "(B),\nand of those of A modulo %d (C) and %d (D)\n\n",
      kStrings, kSmallTable, kLargeTable);
  Print(rows, Published(), {"A", "B", "C", "D"}, 0);
  absl::PrintF("%-12s", "random");
  for (double range :
       {0x1p31, 0x1p31, double{kSmallTable}, double{kLargeTable}}) {
    absl::PrintF("%8.0f", ExpectedCollisions(range));
  }
  absl::PrintF(
      "   by chance\n\n"
      "Marks: 0 for the most collisions, 100 for the fewest; \"mean\" is their "
      "root mean square\n\n");
  Print(Marks(rows), Marks(Published()), {"A", "B", "C", "D", "mean"}, 2);
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
  if (words.size() < 1000) {
    absl::FPrintF(stderr,
                  "contest: %s: has %d words, one per line; at least 1000 are "
                  "needed: install wamerican, or give another list\n",
                  path, words.size());
    return 2;
  }
  const std::array<Strings, 2> members = {RandomStrings(/*seed=*/1),
                                          Sentences(words, /*seed=*/1)};
  const std::array<Strings, 2> absent = {RandomStrings(/*seed=*/2),
                                         Sentences(words, /*seed=*/2)};
  constexpr uint32_t kWhole = uint32_t{1} << 31;
  Rows rows;
  for (const StringHash& hash : kStringHashes) {
    rows.push_back({Collisions(hash, members[0], kWhole),
                    Collisions(hash, members[1], kWhole),
                    Collisions(hash, members[0], kSmallTable),
                    Collisions(hash, members[0], kLargeTable)});
  }
  PrintContest(rows);
  PrintFilters(members, absent);
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::Run(argc > 1 ? argv[1] : "/usr/share/dict/american-english");
}
