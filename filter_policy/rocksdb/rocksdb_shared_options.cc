#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <rocksdb/convenience.h>

#include "filter_policy/options/bits_per_key.h"
#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"

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
// that excludes them is set.
Status Serialize(const ConfigOptions&, const std::string& name,
                 const void* options, std::string* value) {
  *value = GetOption(name, static_cast<const SharedOptions*>(options)->Get());
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

FilterOptions SharedOptions::Get() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return options_;
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
  return ToStatus(SetOption(name, value, &options_));
}

Status SharedOptions::Error() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return creation_error_.ok() ? configuration_error_ : creation_error_;
}

void SharedOptions::RecordError(const Status& error) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!in_use_) configuration_error_ = error;
}

Status SharedOptions::ValidateForOpen() {
  const Status error = Error();
  std::lock_guard<std::mutex> lock(mutex_);
  in_use_ = error.ok();
  return error;
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
