#include "bench/databases/database_filters.h"

#include <rocksdb/convenience.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "bench/filters/filter_candidates.h"
#include "oneline/leveldb_filter_policy.h"

namespace oneline {
namespace {

// Fixed, so that counts are the same in every run.
constexpr uint64_t kSeed = 1;

std::string Ours(double bits_per_key, const std::string& further) {
  return absl::StrCat("{id=oneline;bits_per_key=", bits_per_key,
                      ";hash_seed=", kSeed, ";", further, "}");
}

std::shared_ptr<const leveldb::FilterPolicy> OursForLevelDB(
    Kind kind, double bits_per_key) {
  FilterOptions options;
  options.kind = kind;
  options.bits_per_key = bits_per_key;
  const leveldb::FilterPolicy* policy = nullptr;
  NewLevelDBFilterPolicy(options, &policy);
  return std::shared_ptr<const leveldb::FilterPolicy>(policy);
}

}  // namespace

std::vector<RocksDBFilter> RocksDBFilters(double bits_per_key) {
  const double ribbon = BloomBitsOfRibbon(bits_per_key);
  return {
      {"none", "nullptr"},
      {kBaseFilter, absl::StrCat("bloomfilter:", bits_per_key, ":false")},
      {"bloom again", absl::StrCat("bloomfilter:", bits_per_key, ":false")},
      {"ribbon", absl::StrCat("ribbonfilter:", ribbon, ":-1")},
      {"oneline ribbon", Ours(bits_per_key, "kind=ribbon;bits_by_level=false")},
      {"oneline bloom", Ours(bits_per_key, "kind=bloom;bits_by_level=false")},
  };
}

absl::StatusOr<std::shared_ptr<const rocksdb::FilterPolicy>> MakePolicy(
    const RocksDBFilter& filter) {
  rocksdb::ConfigOptions strict;
  strict.ignore_unknown_options = false;
  strict.ignore_unsupported_options = false;
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(strict, filter.option, &policy);
  if (!status.ok()) {
    return absl::InternalError(
        absl::StrCat("filter '", filter.name, "': ", status.ToString()));
  }
  return policy;
}

std::vector<LevelDBFilter> LevelDBFilters(double bits_per_key) {
  const int whole_bits = static_cast<int>(std::lround(bits_per_key));
  return {
      {"none", nullptr},
      {kBaseFilter, std::shared_ptr<const leveldb::FilterPolicy>(
                        leveldb::NewBloomFilterPolicy(whole_bits))},
      {"bloom again", std::shared_ptr<const leveldb::FilterPolicy>(
                          leveldb::NewBloomFilterPolicy(whole_bits))},
      {"oneline ribbon", OursForLevelDB(Kind::kRibbon, bits_per_key)},
      {"oneline bloom", OursForLevelDB(Kind::kBloom, bits_per_key)},
  };
}

}  // namespace oneline
