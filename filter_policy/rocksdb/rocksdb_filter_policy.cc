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
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "filter_policy/rocksdb/rocksdb_shared_options.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::Slice;
using rocksdb::Status;

// The name under which RocksDB looks for filters in a table, next to
// "fullfilter." and "partitionedfilter.": that of its own filters, so that they
// and ours find each other's tables.
constexpr char kCompatibilityName[] = "rocksdb.BuiltinBloomFilter";

std::string_view View(const Slice& s) { return {s.data(), s.size()}; }

// One for the whole process, drawn when first asked for.
uint64_t RandomSeed() {
  static const uint64_t seed = [] {
    uint64_t drawn = 0;
    if (getentropy(&drawn, sizeof(drawn)) != 0) {
      // No random device, as in some containers: an address and the time.
      drawn = KeyHash("", reinterpret_cast<uintptr_t>(&drawn)) ^
              rocksdb::Env::Default()->NowNanos();
    }
    return drawn;
  }();
  return seed;
}

class BitsBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  BitsBuilder(const FilterKind& kind, double bits_per_key, uint64_t seed,
              int effort, bool verify)
      : builder_(kind, bits_per_key, seed, effort), verify_(verify) {}

  void AddKey(const Slice& key) override {
    ForgetFinished();
    builder_.AddKey(View(key));
  }

#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const Slice& key, const Slice& alt) override {
    ForgetFinished();
    builder_.AddKeyAndPrefix(View(key), View(alt));
  }
#endif

  size_t EstimateEntriesAdded() override {
    return finished_ ? 0 : builder_.num_keys();
  }

  Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return Finish(buf, nullptr);
  }

  Slice Finish(std::unique_ptr<const char[]>* buf, Status* status) override {
    ForgetFinished();
    FilterBlock block = builder_.Finish();
    // The keys are still needed if MaybePostVerify is to look for them.
    finished_ = true;
    if (!verify_) ForgetFinished();
    *buf = std::move(block.bytes);
    if (status != nullptr) *status = Status::OK();
    return Slice(buf->get(), block.size);
  }

  Status MaybePostVerify(const Slice& filter) override {
    if (!finished_) return Status::OK();
    const bool intact = builder_.Verify(View(filter));
    ForgetFinished();
    if (intact) return Status::OK();
    return Status::Corruption(
        "oneline: a filter just built does not match its own keys",
        "memory was damaged while it was built");
  }

  size_t ApproximateNumEntries(size_t bytes) override {
    return builder_.MaxKeys(bytes);
  }

#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t num_entries) override {
    return builder_.BlockBytes(num_entries);
  }
  double EstimatedFpRate(size_t num_entries, size_t bytes) override {
    return builder_.FpRate(num_entries, bytes);
  }
#endif

 private:
  void ForgetFinished() {
    if (!finished_) return;
    builder_.Forget();
    finished_ = false;
  }

  FilterBlockBuilder builder_;
  const bool verify_;
  bool finished_ = false;  // the builder's keys are those of the last filter
};

// For options that are wrong, where RocksDB did not ask ValidateOptions
// (CreateColumnFamily, SstFileWriter): the table is refused. Without a filter
// it would be written and nobody would know.
class RefusingBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  explicit RefusingBuilder(const Status& problem)
      : problem_(Status::Corruption(problem.getState())) {}

  void AddKey(const Slice&) override { ++num_keys_; }
#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const Slice&, const Slice&) override { ++num_keys_; }
#endif
  size_t EstimateEntriesAdded() override { return num_keys_; }
  Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return Finish(buf, nullptr);
  }
  Slice Finish(std::unique_ptr<const char[]>* buf, Status* status) override {
    buf->reset();
    num_keys_ = 0;
    if (status != nullptr) *status = problem_;
    return Slice();
  }
  Status MaybePostVerify(const Slice&) override { return problem_; }
  size_t ApproximateNumEntries(size_t bytes) override { return bytes; }
#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t) override { return 0; }
  double EstimatedFpRate(size_t, size_t) override { return 1; }
#endif

 private:
  const Status problem_;  // the kind of status that RocksDB expects here
  size_t num_keys_ = 0;
};

// Lives in the block cache, longer than the policy and the database: it holds
// nothing but the view of its block.
class BitsReader final : public rocksdb::FilterBitsReader {
 public:
  explicit BitsReader(std::string_view block) : reader_(block) {}

  bool MayMatch(const Slice& key) override {
    return reader_.MayMatch(View(key));
  }

  void MayMatch(int num_keys, Slice** keys, bool* may_match) override {
    uint64_t hashes[kBatchKeys];
    for (size_t left = static_cast<size_t>(num_keys), n; left > 0; left -= n) {
      n = std::min(left, kBatchKeys);
      for (size_t i = 0; i < n; ++i) {
        hashes[i] = KeyHash(View(*keys[i]), reader_.seed());
      }
      reader_.MayMatchHashes(hashes, n, may_match);
      keys += n;
      may_match += n;
    }
  }

 private:
  const FilterBlockReader reader_;
};

// From 9.8 on SetOptions makes a new policy from its text, drops its error and
// never validates it: a slip of the pen must not stop a running database, and
// the default is used. Before, a policy made from text is always validated.
constexpr bool kSetOptionsMakesPolicies = ONELINE_ROCKSDB_VERSION >= 90800;

class RocksDBFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  // `from_text`: RocksDB made it by its name. Then `options` must be valid.
  RocksDBFilterPolicy(const FilterOptions& options, const std::string& saved_as,
                      const Status& problem, bool from_text)
      : options_(options, problem),
        saved_as_(saved_as),
        from_text_(from_text),
        bits_in_name_(from_text && options.bits_per_key.has_value()) {
    if (saved_as_ == kPolicyName) {
      RegisterOptions(kPolicyName, &options_, &OptionTypes());
    }
    // Reads all filters that RocksDB itself ever wrote and writes none.
    const Status status = rocksdb::FilterPolicy::CreateFromString(
        ConfigOptions(), kCompatibilityName, &builtin_);
    assert(status.ok() && builtin_ != nullptr);
    status.PermitUncheckedError();
  }

  const char* Name() const override { return kPolicyName; }
  const char* CompatibilityName() const override { return kCompatibilityName; }
  std::string GetId() const override { return saved_as_; }

  Status ValidateOptions(
      const rocksdb::DBOptions& db_options,
      const rocksdb::ColumnFamilyOptions& cf_options) const override {
    const Status status = options_.BeginUse();
    if (!status.ok()) return status;
    level_bits_.Told(cf_options);
    return rocksdb::FilterPolicy::ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    const Status problem = options_.Problem();
    if (!problem.ok()) {
      if (!(from_text_ && kSetOptionsMakesPolicies)) {
        return new RefusingBuilder(problem);
      }
      rocksdb::Error(context.info_log, "%s; the default is used",
                     problem.getState());
    }
    const FilterOptions options = options_.Get();
    const Kind kind = KindFor(options, context);
    const std::optional<double> level_bits =
        level_bits_.BitsPerKey(options, context);
    const double bits_per_key = level_bits.has_value()
                                    ? *level_bits
                                    : options_.BitsPerKey(options, kind);
    if (bits_per_key == 0) return nullptr;
    return new BitsBuilder(
        *FindFilterKind(static_cast<uint8_t>(kind)), bits_per_key,
        options.hash_seed.has_value() ? *options.hash_seed : RandomSeed(),
        options.effort,
        context.table_options.detect_filter_construct_corruption);
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& contents) const override {
    // RocksDB takes the remains of a filter, 0 to 5 bytes, for one without
    // keys; ours then answers "maybe".
    const bool remains = contents.size() <= 5;
    if (HasMagic(View(contents)) || remains) {
      return new BitsReader(View(contents));
    }
    return builtin_->GetFilterBitsReader(contents);
  }

 protected:
  Status ConfigureOptions(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options,
      std::unordered_map<std::string, std::string>* unused) override {
    const Status problem = FindProblem(config_options, options);
    options_.KeepProblem(problem);
    if (problem.ok()) {
      return rocksdb::FilterPolicy::ConfigureOptions(config_options, options,
                                                     unused);
    }
    // Nothing is set. (With ignore_unknown_options RocksDB ignores wrong values
    // as well; DB::Open then reports them.)
    return config_options.ignore_unknown_options ? Status::OK() : problem;
  }

 private:
  // RocksDB sets one option after the other, in no order: only here are all
  // those known that are given together.
  Status FindProblem(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options) const {
    if (saved_as_ != kPolicyName) return Status::OK();
    NamesAndValues given;
    // {id=oneline:10;...}: the name is part of the same text, up to when a
    // database has the policy.
    const FilterOptions now = options_.Get();
    if (bits_in_name_ && now.bits_per_key.has_value() && !options_.in_use()) {
      given.emplace_back("bits_per_key",
                         oneline::GetOption("bits_per_key", now));
    }
    for (const auto& [long_name, value] : options) {
      const std::string name = GetOptionName(long_name);
      const bool known = std::find(kOptionNames.begin(), kOptionNames.end(),
                                   name) != kOptionNames.end();
      if (!known && config_options.ignore_unknown_options) continue;
      given.emplace_back(name, value);
    }
    FilterOptions scratch;
    return FromAbsl(SetOptionsTogether(given, &scratch));
  }

  mutable SharedOptions options_;
  mutable LevelBits level_bits_;
  const std::string saved_as_;
  const bool from_text_;
  const bool bits_in_name_;  // "oneline:<bits_per_key>"
  std::shared_ptr<const rocksdb::FilterPolicy> builtin_;
};

Status FirstProblem(const FilterOptions& options, const Status& other) {
  const Status version = CheckRocksDBVersion();
  if (!version.ok()) return version;
  return other.ok() ? FromAbsl(Validate(options)) : other;
}

}  // namespace

std::shared_ptr<const rocksdb::FilterPolicy> NewRocksDBFilterPolicy(
    const FilterOptions& options) {
  return std::make_shared<RocksDBFilterPolicy>(
      options, kPolicyName, FirstProblem(options, Status::OK()),
      /*from_text=*/false);
}

rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const Status& problem) {
  return new RocksDBFilterPolicy(options, saved_as,
                                 FirstProblem(options, problem),
                                 /*from_text=*/true);
}

}  // namespace oneline
