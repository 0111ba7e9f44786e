#include "oneline/leveldb_filter_policy.h"

#include <leveldb/slice.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/options/requested_bits.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

using leveldb::Slice;
using leveldb::Status;

// LevelDB keeps this name in each table, and uses a table's filters only if it
// is the policy's. The number is that of the format of short blocks.
constexpr char kName[] = "oneline.1";
constexpr uint64_t kDefaultSeed = 0;

std::string_view View(const Slice& s) { return {s.data(), s.size()}; }

// As Normalise.
std::string NormaliseForLevelDB(FilterOptions* options) {
  std::string error = Normalise(options);
  if (!error.empty()) return error;
  if (IsRocksDBs(options->kind)) {
    return "oneline: kind=" + GetOption("kind", *options) +
           ": must be ribbon or bloom: LevelDB has no filters of RocksDB's";
  }
  for (const OptionRow& option : kOptions) {
    if (option.not_in_leveldb == nullptr || !option.given(*options)) {
      continue;
    }
    const bool has_default = *option.default_text != '\0';
    return std::string("oneline: ") + option.name + "=" +
           option.print(*options) +
           (has_default ? ": must be " : ": must not be given") +
           option.default_text + ": " + option.not_in_leveldb;
  }
  return "";
}

std::string NameFor(uint64_t seed) {
  std::string name = kName;
  if (seed == kDefaultSeed) return name;
  name += '.';
  for (int shift = 60; shift >= 0; shift -= 4) {
    name += "0123456789abcdef"[seed >> shift & 15];
  }
  return name;
}

class LevelDBFilterPolicy final : public leveldb::FilterPolicy {
 public:
  // REQUIRES: options as from NormaliseForLevelDB.
  explicit LevelDBFilterPolicy(const FilterOptions& options)
      : by_rate_(options.fp_rate.has_value()),
        bits_per_key_(RequestedBitsPerKey(options, options.kind)),
        kind_(*FindKind(options.kind)),
        seed_(options.hash_seed.value_or(kDefaultSeed)),
        name_(NameFor(seed_)),
        kernels_(ShortBlockKernelsFor(ChosenInstructionSet())) {}

  const char* Name() const override { return name_.c_str(); }

  // LevelDB passes user keys without sequence numbers, so several versions of a
  // key are repetitions. LevelDB is compiled without exceptions: without memory
  // the filter is left out, which is an empty one, that every key passes.
  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    const size_t begin = dst->size();
    try {
      AppendFilter(keys, n, dst);
    } catch (const std::bad_alloc&) {
      dst->resize(begin);
    }
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    return ShortBlockMayMatch(View(filter), KeyHash(View(key), seed_),
                              kernels_);
  }

 private:
  void AppendFilter(const Slice* keys, int n, std::string* dst) const {
    const auto num_keys = static_cast<size_t>(n);
    std::vector<uint64_t> hashes;
    hashes.reserve(num_keys);
    for (size_t i = 0; i < num_keys; ++i) {
      const uint64_t hash = KeyHash(View(keys[i]), seed_);
      if (hashes.empty() || hash != hashes.back()) hashes.push_back(hash);
    }
    if (hashes.empty()) return;
    const double bits_per_key = BitsPerKey(hashes.size());
    if (bits_per_key == 0) return;
    AppendShortBlock(kind_, bits_per_key, &hashes, dst);
  }

  // REQUIRES: num_keys > 0.
  double BitsPerKey(size_t num_keys) const {
    return by_rate_ ? ShortBlockBitsPerKeyFor(kind_, num_keys, bits_per_key_)
                    : bits_per_key_;
  }

  const bool by_rate_;         // the options have an fp_rate
  const double bits_per_key_;  // of a large filter, if so
  const KindTraits& kind_;
  const uint64_t seed_;
  const std::string name_;
  const ShortBlockKernels kernels_;
};

}  // namespace

Status ONELINE_ABI::NewLevelDBFilterPolicy(
    const FilterOptions& options, const leveldb::FilterPolicy** policy) {
  if (policy == nullptr) {
    return Status::InvalidArgument(
        "oneline: the pointer to the policy is null");
  }
  *policy = nullptr;
  static const bool hash_is_right = IsTheKeyHash(&KeyHash);
  if (!hash_is_right) return Status::NotSupported(kWrongHash);
  FilterOptions normal = options;
  const std::string error = NormaliseForLevelDB(&normal);
  if (!error.empty()) return Status::InvalidArgument(error);
  *policy = new LevelDBFilterPolicy(normal);
  return Status::OK();
}

}  // namespace oneline
