#include "filter_policy/options/option_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

bool IsKind(Kind kind) { return FindKind(kind) != nullptr; }

// Comparisons are such that NaN is out of bounds.
bool IsBitsPerKey(double bits) { return bits >= 0 && bits <= 100; }

// What the kinds reach with 1 to 100 bits per key: 1e-9 takes a Bloom filter
// 80.2 bits and a Ribbon filter 50.3; 0.5 takes 1.4.
bool IsFpRate(double rate) { return rate >= 1e-9 && rate <= 0.5; }

// 1000: more levels than any database has.
bool AreLevelBits(const std::vector<double>& bits) {
  return bits.size() <= 1000 &&
         std::all_of(bits.begin(), bits.end(), &IsBitsPerKey);
}

bool IsShare(double share) { return share >= 0 && share <= 1; }

// RocksDB 9.10 takes the largest int for "always Bloom"; here kind=bloom does.
bool IsBloomBeforeLevel(int level) { return level >= -1 && level <= 1000; }

double ToThousandths(double number) { return std::round(number * 1000) / 1000; }

std::vector<double> AllToThousandths(const std::vector<double>& numbers) {
  std::vector<double> rounded(numbers.size());
  std::transform(numbers.begin(), numbers.end(), rounded.begin(),
                 &ToThousandths);
  return rounded;
}

// The precision of a printed number.
double ToSixDigits(double number) {
  double rounded = number;
  ParseValue(ValueText(number), &rounded);
  return rounded;
}

// A filter of less than a page saves nothing. RocksDB's blocks end at 4 GiB.
bool IsMaxFilterBytes(uint64_t bytes) {
  return bytes >= 4096 && bytes <= uint64_t{1} << 32;
}

constexpr char kLevelUnknown[] = "LevelDB does not tell a table's level";

constexpr OptionRow kRows[] = {
    {"kind", "ribbon or bloom", "ribbon",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "Ribbon filters have the fewest false positives, Bloom filters are the "
     "cheapest to build",
     FieldOf<&FilterOptions::kind, &IsKind>()},
    {"bits_per_key", "a number from 1 to 100, or 0 for no filter", "10",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "memory: bits of filter for each key, in thousandths; less than 0.5 is no "
     "filter, 0.5 to 1 counts as 1",
     FieldOf<&FilterOptions::bits_per_key, &IsBitsPerKey, &ToThousandths>()},
    {"fp_rate", "a number from 1e-9 to 0.5", "",
     /*excludes=*/{"bits_per_key"},
     /*not_in_leveldb=*/nullptr,
     "false-positive rate; each kind of filter gets the bits per key that it "
     "needs for it",
     FieldOf<&FilterOptions::fp_rate, &IsFpRate, &ToSixDigits>()},
    {"level_bits_per_key",
     "1 to 1000 numbers with colons between them, as 16:14:10, each from 1 to "
     "100, or 0 for no filter",
     "",
     /*excludes=*/{"bits_per_key", "fp_rate"},
     /*not_in_leveldb=*/kLevelUnknown,
     "bits per key of level 0, 1 and so on; the last number is for all deeper "
     "levels",
     FieldOf<&FilterOptions::level_bits_per_key, &AreLevelBits,
             &AllToThousandths>()},
    {"bits_by_level", "true or false", "true",
     /*excludes=*/{},
     /*not_in_leveldb=*/kLevelUnknown,
     "true: small levels get more bits, and the filters of a tree take what "
     "bits_per_key says; false: all levels get the same",
     FieldOf<&FilterOptions::bits_by_level>()},
    {"hits", "a number from 0 to 1", "0",
     /*excludes=*/{"level_bits_per_key", "bits_by_level"},
     /*not_in_leveldb=*/kLevelUnknown,
     "share of lookups in the last level that find their key: it gets as "
     "many bits fewer as waste no more reads",
     FieldOf<&FilterOptions::hits, &IsShare, &ToSixDigits>()},
    {"bloom_before_level", "a whole number from -1 to 1000", "-1",
     /*excludes=*/{},
     /*not_in_leveldb=*/kLevelUnknown,
     "for Ribbon: tables of levels below this one get Bloom filters; a flush "
     "counts as level -1",
     FieldOf<&FilterOptions::bloom_before_level, &IsBloomBeforeLevel>()},
    {"max_filter_bytes", "none or a whole number from 4096 to 2^32", "none",
     /*excludes=*/{},
     /*not_in_leveldb=*/"LevelDB's filters are for 2 KiB of data each",
     "limit for one filter: one of more keys gets fewer bits for each, and "
     "with less than 1 bit it is left out",
     FieldOf<&FilterOptions::max_filter_bytes, &IsMaxFilterBytes>()},
    {"hash_seed", "random or a whole number from 0 to 2^64 - 1", "random",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "seed of the key hash; random draws one for each process, a number makes "
     "files reproducible",
     FieldOf<&FilterOptions::hash_seed>()},
};

}  // namespace

const OptionRow* OptionTable::begin() const { return std::begin(kRows); }
const OptionRow* OptionTable::end() const { return std::end(kRows); }

const OptionRow* FindOption(std::string_view name) {
  for (const OptionRow& option : kRows) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

bool Excludes(const OptionRow& option, const OptionRow& other) {
  for (const char* name : option.excludes) {
    if (name != nullptr && std::string_view(name) == other.name) return true;
  }
  return false;
}

}  // namespace oneline
