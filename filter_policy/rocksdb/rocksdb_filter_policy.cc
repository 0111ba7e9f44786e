#include "oneline/rocksdb_filter_policy.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <unistd.h>

#include <cassert>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/options/requested_bits.h"
#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"
#include "filter_policy/rocksdb/rocksdb_bits_builder.h"
#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "filter_policy/rocksdb/rocksdb_cache_charge.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "filter_policy/rocksdb/rocksdb_log_line.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "oneline/level_filters.h"
#include "table/block/filter_block.h"
#include "table/block/line_count.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::Slice;
using rocksdb::Status;

// One for the whole process, drawn at the first call.
uint64_t RandomSeed() {
  static const uint64_t seed = [] {
    uint64_t drawn = 0;
    if (getentropy(&drawn, sizeof(drawn)) != 0) {
      // Some sandboxes forbid the system call: an address and the time then.
      drawn = KeyHash("", reinterpret_cast<uintptr_t>(&drawn)) ^
              rocksdb::Env::Default()->NowNanos();
    }
    return drawn;
  }();
  return seed;
}

// The level in the trailer of a table's filter.
uint8_t LevelIn(const rocksdb::FilterBuildingContext& context) {
  const int level = context.level_at_creation;
  return level >= 0 && level < kUnknownLevel ? static_cast<uint8_t>(level)
                                             : kUnknownLevel;
}

class RocksDBFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  // `mistake`: what is wrong with the options; the default ones are used then.
  RocksDBFilterPolicy(const FilterOptions& options, const std::string& saved_as,
                      const std::string& mistake)
      : options_(mistake.empty() ? options : FilterOptions(), mistake),
        saved_as_(saved_as) {
    if (saved_as_ == kPolicyName) {
      RegisterOptions(kOptionsName, &options_, &OptionTypes());
    }
    // Reads the filters of all of RocksDB's own policies; writes none.
    const Status status = rocksdb::FilterPolicy::CreateFromString(
        ConfigOptions(), kCompatibilityName, &builtin_);
    assert(status.ok() && builtin_ != nullptr);
    if (!status.ok()) builtin_ = nullptr;
  }

  const char* Name() const override { return kPolicyName; }
  const char* CompatibilityName() const override { return kCompatibilityName; }
  std::string GetId() const override { return saved_as_; }

  // From 9.8 on, SetOptions with a text for the whole policy makes a new one.
  // It asks this to find out whether options that the text does not name are to
  // be those of the old policy. They are not: in one list an old bits_per_key
  // and a new fp_rate would contradict each other. Nothing else asks.
  bool IsInstanceOf(const std::string& id) const override {
    return id != kPolicyName && rocksdb::FilterPolicy::IsInstanceOf(id);
  }

  // RocksDB compares options with those in the file that it has written.
  bool AreEquivalent(const ConfigOptions& config,
                     const rocksdb::Configurable* other,
                     std::string* mismatch) const override {
    const std::string builtin = BuiltinName();
    return (!builtin.empty() && other != nullptr &&
            static_cast<const FilterPolicy*>(other)->GetId() == builtin) ||
           FilterPolicy::AreEquivalent(config, other, mismatch);
  }

  Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    Status status = CheckVersion();
    if (status.ok()) status = ToStatus(options_.BeginUse());
    if (!status.ok()) return status;
    level_bits_.ObserveOptions(cf_options);
    log_line_.BeginDatabase();
    return rocksdb::FilterPolicy::ValidateOptions(db_options, cf_options);
  }

  // RocksDB ends the program at an exception. Without memory there is no filter
  // instead.
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    try {
      return NewBuilder(context);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& contents) const override {
    try {
      return NewReader(contents);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

 protected:
  // For OptionsOf, also where the policy stands in for another one and has no
  // options for RocksDB; and for LevelBitsOf.
  const void* GetOptionsPtr(const std::string& name) const override {
    if (name == kOptionsName) return &options_;
    if (name == kLevelBitsName) return &level_bits_;
    return rocksdb::FilterPolicy::GetOptionsPtr(name);
  }

  // A program without this library then writes RocksDB's filters, if with the
  // same bits in all levels, and not none. In detail RocksDB asks for what it
  // sets again after a mistake.
  std::string SerializeOptions(const ConfigOptions& config,
                               const std::string& prefix) const override {
    const std::string builtin = config.IsDetailed() ? "" : BuiltinName();
    return builtin.empty() ? FilterPolicy::SerializeOptions(config, prefix)
                           : builtin;
  }

  Status ConfigureOptions(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options,
      std::unordered_map<std::string, std::string>* unused) override {
    if (saved_as_ != kPolicyName) {
      return rocksdb::FilterPolicy::ConfigureOptions(config_options, options,
                                                     unused);
    }
    NamesAndValues given;
    std::unordered_map<std::string, std::string> unknown;
    for (const auto& [long_name, value] : options) {
      const std::string name = GetOptionName(long_name);
      if (FindOption(name) == nullptr &&
          config_options.ignore_unknown_options) {
        unknown.emplace(long_name, value);
      } else {
        given.emplace_back(name, value);
      }
    }
    const Status error =
        options.empty() ? Status::OK() : ToStatus(options_.SetAll(given));
    // Of a text with a mistake nothing holds. (With ignore_unknown_options
    // RocksDB ignores wrong values as well; DB::Open then reports them.)
    if (!error.ok() && !config_options.ignore_unknown_options) return error;
    return rocksdb::FilterPolicy::ConfigureOptions(config_options, unknown,
                                                   unused);
  }

 private:
  rocksdb::FilterBitsBuilder* NewBuilder(
      const rocksdb::FilterBuildingContext& context) const {
    // CreateColumnFamily and SstFileWriter come here without ValidateOptions.
    if (!fits_) {
      const Status build = CheckVersion();
      build.PermitUncheckedError();
      rocksdb::Error(context.info_log, "[%s] %s; no filter is written",
                     context.column_family_name.c_str(), build.getState());
      return nullptr;
    }
    LogMistake(context);
    const FilterOptions options = options_.Get();
    const bool is_new_log =
        log_line_.Write(context.info_log, context.column_family_name, options);
    const std::optional<NewFilter> filter =
        level_bits_.BeginTable(options, context);
    if (!filter.has_value()) return nullptr;
    Kind kind = filter->kind;
    if (!IsRocksDBs(kind) && !WhatIsWrong().empty()) {
      rocksdb::Error(context.info_log,
                     "[%s] %s; RocksDB's Bloom filter is written",
                     context.column_family_name.c_str(), WhatIsWrong().c_str());
      kind = Kind::kRocksDBBloom;
    }
    if (IsRocksDBs(kind)) {
      const auto* const builtin = BuiltinFor(kind, filter->bits_per_key);
      return builtin == nullptr ? nullptr
                                : builtin->GetBuilderWithContext(context);
    }
    BitsBuilderOptions builder;
    builder.kind = FindKind(kind);
    builder.bits_per_key = filter->bits_per_key;
    builder.seed =
        options.hash_seed.has_value() ? *options.hash_seed : RandomSeed();
    builder.level = LevelIn(context);
    if (options.max_filter_bytes.has_value()) {
      builder.max_filter_bytes = *options.max_filter_bytes;
      builder.max_lines = LinesWithin(builder.max_filter_bytes);
    }
    const rocksdb::BlockBasedTableOptions& table = context.table_options;
    builder.verify = table.detect_filter_construct_corruption;
    if (table.optimize_filters_for_memory) builder.rounding = rounding_;
    if (!table.no_block_cache) builder.block_cache = table.block_cache;
    builder.charged_cache = CacheChargedForBuilds(table);
    const Status exact = CheckExactVersion();
    if (!exact.ok() && builder.charged_cache != nullptr) {
      builder.charged_cache = nullptr;
      if (is_new_log) {
        rocksdb::Header(context.info_log,
                        "[%s] %s; building filters is not charged to the cache",
                        context.column_family_name.c_str(), exact.getState());
      }
    }
    builder.log = context.info_log;
    builder.column_family = context.column_family_name;
    return NewBitsBuilder(builder).release();
  }

  // Of RocksDB's policy that is nearest to one of its kinds; empty for ours.
  std::string BuiltinName() const {
    const FilterOptions options = options_.Get();
    if (!IsRocksDBs(options.kind) || saved_as_ != kPolicyName) return "";
    const std::vector<double>& list = options.level_bits_per_key;
    const auto* const builtin = BuiltinFor(
        options.kind, list.empty() ? RequestedBitsPerKey(options, options.kind)
                                   : RoundedBitsPerKey(list.back()));
    if (builtin == nullptr) return "";
    const std::string name = builtin->GetId();
    if (options.kind == Kind::kRocksDBBloom) return name;
    return name.substr(0, name.rfind(':') + 1) +
           std::to_string(options.bloom_before_level);
  }

  // RocksDB's own policy, by hundredths of a bit; null if there is none. It is
  // kept, since builders refer to it.
  const rocksdb::FilterPolicy* BuiltinFor(Kind kind, double bits) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    Builtin& builtin = builtins_[{kind, std::lround(100 * bits)}];
    if (builtin == nullptr) {
      const BuiltinsStay stay;
      builtin = NewBuiltin(kind == Kind::kRocksDBRibbon, bits);
    }
    return builtin.get();
  }

  rocksdb::FilterBitsReader* NewReader(const Slice& contents) const {
    // RocksDB takes a filter cut off to 0 to 5 bytes for one without keys and
    // answers "no"; our reader answers "maybe".
    const bool cut_off = contents.size() <= 5;
    // RocksDB reads a table without a reader as one without a filter.
    if (HasMagic(contents.ToStringView()) || cut_off) {
      return fits_ && WhatIsWrong().empty()
                 ? NewBitsReader(contents.ToStringView())
                 : nullptr;
    }
    return builtin_ == nullptr ? nullptr
                               : builtin_->GetFilterBitsReader(contents);
  }

  void LogMistake(const rocksdb::FilterBuildingContext& context) const {
    // Who only asks what filters there would be has no LOG.
    if (context.info_log == nullptr) return;
    const std::string mistake = options_.TakeMistakeToLog();
    if (mistake.empty()) {
      // CreateColumnFamily tells nothing of it: its first table does.
      options_.BeginUse();
      return;
    }
    rocksdb::Error(context.info_log, "[%s] %s%s%s",
                   context.column_family_name.c_str(), mistake.c_str(),
                   kUsedInstead, ToString(ConfigOptions()).c_str());
  }

  mutable SharedOptions options_;
  mutable LevelBits level_bits_;
  mutable LogLine log_line_;
  // Builders may outlive the policy.
  const std::shared_ptr<AllocationRounding> rounding_ =
      std::make_shared<AllocationRounding>();
  mutable std::mutex mutex_;  // of those of RocksDB's
  mutable std::map<std::pair<Kind, long>, Builtin> builtins_;
  const std::string saved_as_;
  const bool fits_ = CheckVersion().ok();
  std::shared_ptr<const rocksdb::FilterPolicy> builtin_;
};

}  // namespace

Status ONELINE_ABI::NewRocksDBFilterPolicy(
    const FilterOptions& options,
    std::shared_ptr<const rocksdb::FilterPolicy>* policy) {
  oneline_keep_registration();
  if (policy == nullptr) {
    return Status::InvalidArgument(
        "oneline: the pointer to the policy is null");
  }
  policy->reset();
  Status status = CheckVersion();
  FilterOptions normal = options;
  if (status.ok()) status = ToStatus(Normalise(&normal));
  if (status.ok()) {
    policy->reset(MakeRocksDBFilterPolicy(normal, kPolicyName));
  }
  return status;
}

rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const std::string& mistake) {
  FilterOptions normal = options;
  const std::string wrong = mistake.empty() ? Normalise(&normal) : mistake;
  return new RocksDBFilterPolicy(normal, saved_as, wrong);
}

}  // namespace oneline
