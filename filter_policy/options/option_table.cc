#include "filter_policy/options/option_table.h"

#include <algorithm>
#include <iterator>

namespace oneline {
namespace {

constexpr char kLevelUnknown[] = "LevelDB does not tell a table's level";

constexpr OptionRow kRows[] = {
    {"kind", "ribbon, bloom, rocksdb_ribbon or rocksdb_bloom", "ribbon",
     /*example=*/"bloom", /*wrong=*/"cuckoo",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "Ribbon filters have the fewest false positives, Bloom filters are the "
     "cheapest to build; rocksdb_: RocksDB's own, with bits by level",
     &FilterOptions::kind, static_cast<double>(Kind::kBloom),
     static_cast<double>(Kind::kRocksDBRibbon)},
    {"bits_per_key", "a number from 1 to 100, or 0 for no filter", "10",
     /*example=*/"7.125", /*wrong=*/"101",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "memory: bits of filter for each key, rounded to thousandths; less than "
     "0.5 is no filter, 0.5 to 1 counts as 1",
     &FilterOptions::bits_per_key, 0, 100, Precision::kThousandths},
    {"fp_rate", "a number from 1e-9 to 0.5", "",
     /*example=*/"0.02", /*wrong=*/"0",
     /*excludes=*/{"bits_per_key"},
     /*not_in_leveldb=*/nullptr,
     "false-positive rate; each kind of filter gets the bits per key that it "
     "needs for it",
     // What the kinds reach with 1 to 100 bits per key: 1e-9 takes a Bloom
     // filter 80.2 bits and a Ribbon filter 50.3; 0.5 takes 1.4.
     &FilterOptions::fp_rate, 1e-9, 0.5, Precision::kSixDigits},
    {"level_bits_per_key",
     "1 to 1000 numbers with colons between them, as 16:14:10, each from 1 to "
     "100, or 0 for no filter",
     "",
     /*example=*/"16:8.5", /*wrong=*/"16:101",
     /*excludes=*/{"bits_per_key", "fp_rate"},
     /*not_in_leveldb=*/kLevelUnknown,
     "bits per key of level 0, 1 and so on; the last number is for all deeper "
     "levels",
     &FilterOptions::level_bits_per_key, 0, 100, Precision::kThousandths},
    {"bits_by_level", "true or false", "true",
     /*example=*/"false", /*wrong=*/"best",
     /*excludes=*/{},
     /*not_in_leveldb=*/kLevelUnknown,
     "true: small levels get more bits, and the filters of a tree take what "
     "bits_per_key says; false: all levels get the same",
     &FilterOptions::bits_by_level},
    {"hits", "a number from 0 to 1", "0",
     /*example=*/"0.5", /*wrong=*/"1.5",
     /*excludes=*/{"level_bits_per_key", "bits_by_level"},
     /*not_in_leveldb=*/kLevelUnknown,
     "of the lookups that reach the last level, the fraction that find their "
     "key there; that level gets fewer bits, with no more false positives per "
     "lookup",
     &FilterOptions::hits, 0, 1, Precision::kSixDigits},
    {"bloom_before_level", "a whole number from -1 to 1000", "-1",
     /*example=*/"3", /*wrong=*/"-2",
     /*excludes=*/{},
     /*not_in_leveldb=*/kLevelUnknown,
     "for Ribbons: tables of levels below this one get Bloom filters; a flush "
     "counts as level -1",
     // RocksDB 9.10 takes the largest int for "always Bloom"; here kind=bloom
     // does.
     &FilterOptions::bloom_before_level, -1, 1000},
    {"max_filter_bytes", "none or a whole number from 4096 to 2^32", "none",
     /*example=*/"1234567", /*wrong=*/"1M",
     /*excludes=*/{},
     /*not_in_leveldb=*/"LevelDB's filters are for 2 KiB of data each",
     "the most bytes of one filter: with more keys it has fewer bits per key, "
     "and with less than 1 bit it matches every key",
     // A filter of less than a page saves nothing. RocksDB's blocks end at 4
     // GiB.
     &FilterOptions::max_filter_bytes, 4096, 0x1p32},
    {"hash_seed", "random or a whole number from 0 to 2^64 - 1", "random",
     /*example=*/"99", /*wrong=*/"x",
     /*excludes=*/{},
     /*not_in_leveldb=*/nullptr,
     "seed of the key hash; random draws one for each process, a number makes "
     "files reproducible",
     &FilterOptions::hash_seed},
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

bool OptionRow::excludes_option(std::string_view other) const {
  return std::any_of(excludes.begin(), excludes.end(), [&](const char* one) {
    return one != nullptr && one == other;
  });
}

bool Exclusive(const OptionRow& a, const OptionRow& b) {
  return a.excludes_option(b.name) || b.excludes_option(a.name);
}

}  // namespace oneline
