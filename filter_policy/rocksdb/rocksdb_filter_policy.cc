#include "oneline/rocksdb_filter_policy.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_allocation_rounding.h"
#include "filter_policy/rocksdb/rocksdb_bits_builder.h"
#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "filter_policy/rocksdb/rocksdb_cache_charge.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "filter_policy/rocksdb/rocksdb_predecessor.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block.h"
#include "table/block/line_count.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::Slice;
using rocksdb::Status;

// RocksDB appends this to "fullfilter." or "partitionedfilter." for the name of
// a table's filter block. It is the name of RocksDB's own filters, so that
// their policies and ours find each other's blocks.
constexpr char kCompatibilityName[] = "rocksdb.BuiltinBloomFilter";

std::string_view View(const Slice& s) { return {s.data(), s.size()}; }

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

// What the filter says of where its table was written.
Provenance ProvenanceOf(const rocksdb::FilterBuildingContext& context) {
  const int level = context.level_at_creation;
  return {level >= 0 && level < kUnknownLevel ? static_cast<uint8_t>(level)
                                              : kUnknownLevel,
          context.is_bottommost, FamilyTag(context.column_family_name)};
}

// Whether a policy made from a text with an error in it is to refuse this
// table.
//
// From 9.8 on, SetOptions may make a policy, drop its error and not validate
// it. A mistyped value must not stop a running database, so the policy then
// uses the options that it has, and the LOG says so. Before 9.8 RocksDB
// validates policies made from text, except for SstFileWriter and
// CreateColumnFamily.
bool RefusesTable(const rocksdb::FilterBuildingContext& context) {
  constexpr bool kSetOptionsMakesPolicies = ONELINE_ROCKSDB_VERSION >= 90800;
  // SstFileWriter, which has no SetOptions, may have no LOG.
  return !kSetOptionsMakesPolicies ||
         context.reason == rocksdb::TableFileCreationReason::kMisc;
}

class RocksDBFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  // `from_text`: made from a name. REQUIRES: `options` are then valid. If the
  // policy is made in place of another one, `predecessor` is not null.
  RocksDBFilterPolicy(const FilterOptions& options, const std::string& saved_as,
                      const Status& error, bool from_text,
                      const Predecessor* predecessor = nullptr)
      : predecessor_(predecessor != nullptr ? *predecessor : Predecessor()),
        options_(options, error.ok() ? predecessor_.error : error,
                 predecessor_.mistakes),
        level_bits_(predecessor_.tree),
        saved_as_(saved_as),
        from_text_(from_text),
        bits_in_name_(from_text && options.bits_per_key.has_value() &&
                      !predecessor_.options_go_on) {
    if (saved_as_ == kPolicyName) {
      RegisterOptions(kPolicyName, &options_, &OptionTypes());
    }
    // Reads the filters of all of RocksDB's own policies; writes none.
    const Status status = rocksdb::FilterPolicy::CreateFromString(
        ConfigOptions(), kCompatibilityName, &builtin_);
    assert(status.ok() && builtin_ != nullptr);
    if (!status.ok()) builtin_ = nullptr;
  }

  const char* Name() const override { return kPolicyName; }
  const char* CompatibilityName() const override { return kCompatibilityName; }
  std::string GetId() const override {
    ForgetPredecessor();
    return saved_as_;
  }
  bool IsInstanceOf(const std::string& id) const override {
    const bool is_instance = rocksdb::FilterPolicy::IsInstanceOf(id);
    ForgetPredecessor();
    // RocksDB may be about to make the policy of this id in place of this one.
    const std::string with_bits = std::string(kPolicyName) + ":";
    if (saved_as_ == kPolicyName &&
        (is_instance || id.compare(0, with_bits.size(), with_bits) == 0)) {
      OfferPredecessor(id, &options_, ForSuccessor());
    }
    return is_instance;
  }

  Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    // Tables may have been another database's, that of the predecessor.
    if (!options_.in_use()) level_bits_.ForgetTables();
    const Status status = options_.ValidateForOpen();
    if (!status.ok()) return status;
    level_bits_.ObserveOptions(db_options, cf_options);
    return rocksdb::FilterPolicy::ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    const Status error = options_.Error();
    if (!error.ok() && (!from_text_ || RefusesTable(context))) {
      return NewRefusingBuilder(error).release();
    }
    if (predecessor_.in_use) options_.BeginUse();
    LogMistakes(context);
    const FilterOptions options = options_.Get();
    const Kind kind = KindFor(options, context);
    const std::optional<double> level_bits =
        level_bits_.BitsPerKey(options, context);
    const double bits_per_key = level_bits.has_value()
                                    ? *level_bits
                                    : options_.BitsPerKey(options, kind);
    if (bits_per_key == 0) return nullptr;
    BitsBuilderOptions builder;
    builder.kind = FindKind(kind);
    builder.bits_per_key = bits_per_key;
    builder.seed =
        options.hash_seed.has_value() ? *options.hash_seed : RandomSeed();
    builder.effort = options.effort;
    builder.provenance = ProvenanceOf(context);
    if (options.max_filter_bytes.has_value()) {
      builder.max_filter_bytes = *options.max_filter_bytes;
      builder.max_lines = LinesWithin(builder.max_filter_bytes);
    }
    const rocksdb::BlockBasedTableOptions& table = context.table_options;
    builder.verify = table.detect_filter_construct_corruption;
    if (table.optimize_filters_for_memory) builder.rounding = rounding_;
    if (!table.no_block_cache) builder.block_cache = table.block_cache;
    builder.charged_cache = CacheChargedForBuilds(table);
    builder.log = context.info_log;
    builder.column_family = context.column_family_name;
    return NewBitsBuilder(builder).release();
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& contents) const override {
    // RocksDB takes a filter cut off to 0 to 5 bytes for one without keys and
    // answers "no"; our reader answers "maybe".
    const bool cut_off = contents.size() <= 5;
    if (HasMagic(View(contents)) || cut_off) {
      return NewBitsReader(View(contents), ChosenInstructionSet(),
                           level_bits_.ObserveFilter(View(contents)));
    }
    level_bits_.ObserveFilter(View(contents));
    // RocksDB reads a table without a reader as one without a filter.
    return builtin_ == nullptr ? nullptr
                               : builtin_->GetFilterBitsReader(contents);
  }

 protected:
  Status ConfigureOptions(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options,
      std::unordered_map<std::string, std::string>* unused) override {
    ForgetPredecessor();
    Status error = options.empty() ? Status::OK() : options_.CreationError();
    if (error.ok()) error = CheckTogether(config_options, options);
    options_.RecordError(error);
    if (error.ok()) {
      return rocksdb::FilterPolicy::ConfigureOptions(config_options, options,
                                                     unused);
    }
    // Of a text with a mistake nothing holds, also not the 12 of "oneline:12".
    if (predecessor_.in_use && !options_.in_use()) {
      options_.Replace(predecessor_.options);
    }
    // Nothing is set. (With ignore_unknown_options RocksDB ignores wrong values
    // as well; DB::Open then reports them.)
    return config_options.ignore_unknown_options ? Status::OK() : error;
  }

  // RocksDB's way to the name of each option that is read or set. From 9.8 on,
  // SetOptions of a single option that does not exist leaves no other trace.
  std::string GetOptionName(const std::string& long_name) const override {
    const std::string name = rocksdb::FilterPolicy::GetOptionName(long_name);
    if (saved_as_ == kPolicyName &&
        (options_.in_use() || predecessor_.in_use) &&
        FindOption(name) == nullptr) {
      options_.Set(name, "").PermitUncheckedError();  // fails, and is kept
    }
    return name;
  }

  std::string SerializeOptions(const ConfigOptions& config_options,
                               const std::string& prefix) const override {
    ForgetPredecessor();
    return rocksdb::FilterPolicy::SerializeOptions(config_options, prefix);
  }

 private:
  Predecessor ForSuccessor() const {
    Predecessor result;
    result.options = options_.Get();
    result.in_use = options_.in_use() || predecessor_.in_use;
    if (result.in_use) {
      result.mistakes = options_.mistakes();
      result.tree = level_bits_.tree();
    } else {
      result.error = options_.Error();
    }
    return result;
  }

  void LogMistakes(const rocksdb::FilterBuildingContext& context) const {
    for (const std::string& mistake : options_.TakeMistakes()) {
      rocksdb::Error(context.info_log, "[%s] %s%s%s",
                     context.column_family_name.c_str(), mistake.c_str(),
                     kUsedInstead, ToString(ConfigOptions()).c_str());
    }
  }

  // RocksDB sets options one by one, in no order. Only before that are all
  // options known that are given together.
  Status CheckTogether(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options) const {
    if (saved_as_ != kPolicyName) return Status::OK();
    NamesAndValues given;
    // The 10 of {id=oneline:10;...} is given together with the rest, until a
    // database uses the policy.
    const FilterOptions current = options_.Get();
    if (bits_in_name_ && current.bits_per_key.has_value() &&
        !options_.in_use()) {
      given.emplace_back("bits_per_key",
                         oneline::GetOption("bits_per_key", current));
    }
    for (const auto& [long_name, value] : options) {
      const std::string name = rocksdb::FilterPolicy::GetOptionName(long_name);
      const bool known = FindOption(name) != nullptr;
      if (!known && config_options.ignore_unknown_options) continue;
      given.emplace_back(name, value);
    }
    FilterOptions scratch;
    return ToStatus(SetOptionsTogether(given, &scratch));
  }

  const Predecessor
      predecessor_;  // not `in_use`: it replaces none in a database
  mutable SharedOptions options_;
  mutable LevelBits level_bits_;
  // Builders may outlive the policy.
  const std::shared_ptr<AllocationRounding> rounding_ =
      std::make_shared<AllocationRounding>();
  const std::string saved_as_;
  const bool from_text_;
  const bool bits_in_name_;  // "oneline:<bits_per_key>"
  std::shared_ptr<const rocksdb::FilterPolicy> builtin_;
};

Status FirstError(const FilterOptions& options, const Status& error) {
  const Status version = CheckRocksDBVersion();
  if (!version.ok()) return version;
  return error.ok() ? ToStatus(Validate(options)) : error;
}

}  // namespace

std::shared_ptr<const rocksdb::FilterPolicy> NewRocksDBFilterPolicy(
    const FilterOptions& options) {
  KeepRegistration();
  return std::make_shared<RocksDBFilterPolicy>(
      options, kPolicyName, FirstError(options, Status::OK()),
      /*from_text=*/false);
}

rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const Status& error,
                                               const Predecessor* predecessor) {
  return new RocksDBFilterPolicy(options, saved_as, FirstError(options, error),
                                 /*from_text=*/true, predecessor);
}

}  // namespace oneline
