#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <utility>

#include "filter_policy/options/bits_per_key.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_predecessor.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

Status Parse(const ConfigOptions&, const std::string& name,
             const std::string& value, void* options) {
  return static_cast<SharedOptions*>(options)->Set(name, value);
}

// RocksDB omits options whose text is empty: those in whose place an option
// that excludes them is set, and all of them for the policy's successor.
Status Serialize(const ConfigOptions& config_options, const std::string& name,
                 const void* options, std::string* value) {
  const auto* const shared = static_cast<const SharedOptions*>(options);
  *value = LeavesOptionsOut(shared, config_options)
               ? ""
               : GetOption(name, shared->Get());
  return Status::OK();
}

bool Equals(const ConfigOptions&, const std::string& name, const void* a,
            const void* b, std::string* mismatch) {
  if (GetOption(name, static_cast<const SharedOptions*>(a)->Get()) ==
      GetOption(name, static_cast<const SharedOptions*>(b)->Get())) {
    return true;
  }
  *mismatch = name;
  return false;
}

}  // namespace

Status ToStatus(const std::string& error) {
  return error.empty() ? Status::OK() : Status::InvalidArgument(error);
}

SharedOptions::SharedOptions(const FilterOptions& options, const Status& error,
                             const std::vector<std::string>& mistakes)
    : creation_error_(error), options_(options), mistakes_(mistakes) {
  if (!error.ok()) AddMistake(error.getState());
}

FilterOptions SharedOptions::Get() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return options_;
}

void SharedOptions::Replace(const FilterOptions& options) {
  std::lock_guard<std::mutex> lock(mutex_);
  options_ = options;
}

double SharedOptions::BitsPerKey(const FilterOptions& options, Kind kind) {
  if (!options.fp_rate.has_value()) return EffectiveBitsPerKey(options, kind);
  std::lock_guard<std::mutex> lock(bits_for_rate_mutex_);
  BitsForRate& last = bits_for_rate_[kind];
  if (last.fp_rate != *options.fp_rate || last.effort != options.effort) {
    last = {*options.fp_rate, options.effort,
            EffectiveBitsPerKey(options, kind)};
  }
  return last.bits_per_key;
}

Status SharedOptions::Set(const std::string& name, const std::string& value) {
  std::lock_guard<std::mutex> lock(mutex_);
  const Status status = ToStatus(SetOption(name, value, &options_));
  if (!status.ok()) AddMistake(status.getState());
  return status;
}

Status SharedOptions::Error() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return creation_error_.ok() ? configuration_error_ : creation_error_;
}

Status SharedOptions::CreationError() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return creation_error_;
}

void SharedOptions::RecordError(const Status& error) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!error.ok()) AddMistake(error.getState());
  if (!in_use_) configuration_error_ = error;
}

Status SharedOptions::ValidateForOpen() {
  const Status error = Error();
  if (!error.ok()) return error;
  // Mistakes before were corrected, or reported to who made them.
  if (!in_use()) TakeMistakes();
  BeginUse();
  return error;
}

void SharedOptions::BeginUse() {
  std::lock_guard<std::mutex> lock(mutex_);
  creation_error_ = configuration_error_ = Status::OK();
  in_use_ = true;
}

void SharedOptions::AddMistake(const std::string& mistake) {
  // RocksDB tries some calls a second time, in another way.
  const bool known =
      std::find(mistakes_.begin(), mistakes_.end(), mistake) != mistakes_.end();
  constexpr size_t kMax = 20;  // as no table may be written for long
  if (!known && mistakes_.size() < kMax) mistakes_.push_back(mistake);
}

std::vector<std::string> SharedOptions::mistakes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return mistakes_;
}

std::vector<std::string> SharedOptions::TakeMistakes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(mistakes_, {});
}

bool SharedOptions::in_use() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return in_use_;
}

const std::unordered_map<std::string, OptionTypeInfo>& OptionTypes() {
  static const auto* const types = [] {
    auto* map = new std::unordered_map<std::string, OptionTypeInfo>;
    for (const OptionRow& option : kOptions) {
      map->emplace(option.name,
                   OptionTypeInfo(0, rocksdb::OptionType::kUnknown,
                                  rocksdb::OptionVerificationType::kNormal,
                                  rocksdb::OptionTypeFlags::kMutable, &Parse,
                                  &Serialize, &Equals));
    }
    return map;
  }();
  return *types;
}

}  // namespace oneline
