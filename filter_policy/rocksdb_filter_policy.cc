#include "filter_policy/rocksdb_filter_policy.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_type.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "filter_policy/filter_options_text.h"
#include "filter_policy/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb_version.h"
#include "table/filter_block.h"
#include "table/filter_block_builder.h"
#include "table/key_hash.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::OptionTypeInfo;
using rocksdb::Slice;
using rocksdb::Status;

// The name under which RocksDB looks for filters in a table, next to
// "fullfilter." and "partitionedfilter.": that of its own filters, so that they
// and ours find each other's tables.
constexpr char kCompatibilityName[] = "rocksdb.BuiltinBloomFilter";

std::string_view View(const Slice& s) { return {s.data(), s.size()}; }

Status FromAbsl(const absl::Status& status) {
  if (status.ok()) return Status::OK();
  return Status::InvalidArgument(
      Slice(status.message().data(), status.message().size()));
}

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
              bool verify)
      : builder_(kind, bits_per_key, seed), verify_(verify) {}

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

// Options that SetOptions may change while tables are being built, and what is
// wrong with them.
//
// RocksDB loads an OPTIONS file without a word when a filter policy in it can't
// be made or configured, and then writes tables without filters. So a mistake
// made before the database is open is kept here, for ValidateOptions to report.
class SharedOptions {
 public:
  // `problem`, if not OK, stays: a policy that was made wrongly is not mended
  // by configuring it.
  SharedOptions(const FilterOptions& options, const Status& problem)
      : made_with_(problem), options_(options) {}

  FilterOptions Get() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return options_;
  }

  Status Set(const std::string& name, const std::string& value) {
    std::lock_guard<std::mutex> lock(mutex_);
    return FromAbsl(SetOption(name, value, &options_));
  }

  Status Problem() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return made_with_.ok() ? problem_ : made_with_;
  }

  // Once a database uses the options, SetOptions has told its caller of the
  // mistake and left the options as they were: then there is none to keep.
  void KeepProblem(const Status& problem) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!in_use_) problem_ = problem;
  }

  Status BeginUse() {
    const Status problem = Problem();
    std::lock_guard<std::mutex> lock(mutex_);
    in_use_ = problem.ok();
    return problem;
  }

 private:
  const Status made_with_;
  mutable std::mutex mutex_;
  FilterOptions options_;
  Status problem_;  // of the last configuration
  bool in_use_ = false;
};

// How RocksDB parses, saves and compares our options: each by its name, on a
// SharedOptions.
const std::unordered_map<std::string, OptionTypeInfo>& OptionTypes() {
  static const auto* const types = [] {
    const auto parse = [](const ConfigOptions&, const std::string& name,
                          const std::string& value, void* options) {
      return static_cast<SharedOptions*>(options)->Set(name, value);
    };
    const auto serialize = [](const ConfigOptions&, const std::string& name,
                              const void* options, std::string* value) {
      *value =
          GetOption(name, static_cast<const SharedOptions*>(options)->Get());
      return Status::OK();
    };
    const auto equals = [](const ConfigOptions&, const std::string& name,
                           const void* a, const void* b,
                           std::string* mismatch) {
      if (GetOption(name, static_cast<const SharedOptions*>(a)->Get()) ==
          GetOption(name, static_cast<const SharedOptions*>(b)->Get())) {
        return true;
      }
      *mismatch = name;
      return false;
    };
    auto* map = new std::unordered_map<std::string, OptionTypeInfo>;
    for (const std::string_view name : kOptionNames) {
      map->emplace(std::string(name),
                   OptionTypeInfo(0, rocksdb::OptionType::kUnknown,
                                  rocksdb::OptionVerificationType::kNormal,
                                  rocksdb::OptionTypeFlags::kMutable, parse,
                                  serialize, equals));
    }
    return map;
  }();
  return *types;
}

class RocksDBFilterPolicy final : public rocksdb::FilterPolicy {
 public:
  // `keeps_going`: see below. Then `options` must be valid.
  RocksDBFilterPolicy(const FilterOptions& options, const std::string& saved_as,
                      const Status& problem, bool keeps_going)
      : options_(options, problem),
        saved_as_(saved_as),
        keeps_going_(keeps_going) {
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
    return rocksdb::FilterPolicy::ValidateOptions(db_options, cf_options);
  }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    const Status problem = options_.Problem();
    if (!problem.ok()) {
      if (!keeps_going_) return new RefusingBuilder(problem);
      rocksdb::Error(context.info_log, "%s; the default is used",
                     problem.getState());
    }
    const FilterOptions options = options_.Get();
    const double bits_per_key = EffectiveBitsPerKey(options);
    if (bits_per_key == 0) return nullptr;
    return new BitsBuilder(
        *FindFilterKind(static_cast<uint8_t>(options.kind)), bits_per_key,
        options.hash_seed.has_value() ? *options.hash_seed : RandomSeed(),
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
    // On an error this comes back here, to restore the options: the problem is
    // to be kept after that.
    const Status problem = FindProblem(config_options, options);
    const Status status = rocksdb::FilterPolicy::ConfigureOptions(
        config_options, options, unused);
    options_.KeepProblem(problem);
    return status;
  }

 private:
  Status FindProblem(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& options) const {
    if (saved_as_ != kPolicyName) return Status::OK();
    FilterOptions scratch;
    for (const auto& [long_name, value] : options) {
      const std::string name = GetOptionName(long_name);
      const bool known = std::find(kOptionNames.begin(), kOptionNames.end(),
                                   name) != kOptionNames.end();
      if (!known && config_options.ignore_unknown_options) continue;
      const absl::Status status = SetOption(name, value, &scratch);
      if (!status.ok()) return FromAbsl(status);
    }
    return Status::OK();
  }

  mutable SharedOptions options_;
  const std::string saved_as_;
  const bool keeps_going_;  // with valid options although there is a problem
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
      /*keeps_going=*/false);
}

rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const Status& problem) {
  // From 9.8 on SetOptions makes a new policy from its text, drops its error
  // and never validates it: a slip of the pen must not stop a running database.
  // Before, a policy made from text is always validated.
  constexpr bool kSetOptionsMakesPolicies = ONELINE_ROCKSDB_VERSION >= 90800;
  return new RocksDBFilterPolicy(options, saved_as,
                                 FirstProblem(options, problem),
                                 kSetOptionsMakesPolicies);
}

}  // namespace oneline
