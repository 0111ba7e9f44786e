#include "membership/hashes/hash_contest.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <functional>
#include <random>
#include <unordered_set>

namespace oneline {
namespace {

// The first n different strings that `draw` returns.
std::vector<std::string> Different(size_t n,
                                   const std::function<std::string()>& draw) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> strings;
  strings.reserve(n);
  while (strings.size() < n) {
    std::string drawn = draw();
    if (seen.insert(drawn).second) strings.push_back(std::move(drawn));
  }
  return strings;
}

}  // namespace

std::vector<std::string> RandomStrings(size_t n, uint64_t seed) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  // Not std::uniform_int_distribution, whose results differ between standard
  // libraries.
  std::mt19937_64 random(seed);
  return Different(n, [&] {
    std::string s(8 + random() % 17, ' ');
    for (char& c : s) c = kAlphabet[random() % kAlphabet.size()];
    return s;
  });
}

std::vector<std::string> Sentences(const std::vector<std::string>& words,
                                   size_t n, uint64_t seed) {
  assert(words.size() >= 100);
  std::mt19937_64 random(seed);
  return Different(n, [&] {
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

uint64_t Collisions(uint32_t (*hash)(std::string_view),
                    const std::vector<std::string>& strings, uint32_t modulus) {
  std::vector<uint32_t> values;
  values.reserve(strings.size());
  for (const std::string& s : strings) {
    const uint32_t value = hash(s);
    values.push_back(modulus == 0 ? value : value % modulus);
  }
  std::sort(values.begin(), values.end());
  const auto end = std::unique(values.begin(), values.end());
  return static_cast<uint64_t>(values.end() - end);
}

double ExpectedCollisions(size_t n, double range) {
  const auto strings = static_cast<double>(n);
  return strings + range * std::expm1(strings * std::log1p(-1 / range));
}

ContestRow Compete(const StringHash& hash,
                   const std::vector<std::string>& random_strings,
                   const std::vector<std::string>& sentences) {
  return {hash.name,
          {Collisions(hash.hash, random_strings, 0),
           Collisions(hash.hash, sentences, 0),
           Collisions(hash.hash, random_strings, kSmallTable),
           Collisions(hash.hash, random_strings, kLargeTable)}};
}

const std::array<ContestRow, kNumClassicHashes> kPublishedContest = {{
    {"BKDRHash", {2, 0, 4774, 481}},
    {"APHash", {2, 3, 4754, 493}},
    {"DJBHash", {2, 2, 4975, 474}},
    {"JSHash", {1, 4, 4761, 506}},
    {"RSHash", {1, 0, 4861, 505}},
    {"SDBMHash", {3, 2, 4849, 504}},
    {"PJWHash", {30, 26, 4878, 513}},
    {"ELFHash", {30, 26, 4878, 513}},
}};

std::vector<ContestMarks> Marks(const std::vector<ContestRow>& rows) {
  std::vector<ContestMarks> marks(rows.size());
  for (size_t discipline = 0; discipline < kNumDisciplines; ++discipline) {
    const auto fewer = [=](const ContestRow& a, const ContestRow& b) {
      return a.collisions[discipline] < b.collisions[discipline];
    };
    const auto [least, most] =
        std::minmax_element(rows.begin(), rows.end(), fewer);
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto range = static_cast<double>(most->collisions[discipline] -
                                             least->collisions[discipline]);
      const auto better = static_cast<double>(most->collisions[discipline] -
                                              rows[i].collisions[discipline]);
      marks[i].marks[discipline] = range == 0 ? 100 : 100 * better / range;
    }
  }
  for (ContestMarks& m : marks) {
    double squares = 0;
    for (double mark : m.marks) squares += mark * mark;
    m.root_mean_square = std::sqrt(squares / kNumDisciplines);
  }
  return marks;
}

double BloomFpRate(uint32_t (*hash)(std::string_view),
                   const std::vector<std::string>& members,
                   const std::vector<std::string>& absent, uint32_t num_bits,
                   int num_hashes) {
  std::vector<bool> bits(num_bits);
  std::string salted;
  const auto position = [&](int i, const std::string& s) {
    salted.assign(1, static_cast<char>(i));
    salted += s;
    return hash(salted) % num_bits;
  };
  for (const std::string& member : members) {
    for (int i = 0; i < num_hashes; ++i) bits[position(i, member)] = true;
  }
  size_t passed = 0;
  for (const std::string& s : absent) {
    int i = 0;
    while (i < num_hashes && bits[position(i, s)]) ++i;
    passed += i == num_hashes;
  }
  return static_cast<double>(passed) / static_cast<double>(absent.size());
}

}  // namespace oneline
