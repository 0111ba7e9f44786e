#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <rocksdb/convenience.h>

#include <utility>

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
  *value = GetOption(name,
                     static_cast<const SharedOptions*>(options)->Get().options);
  return Status::OK();
}

bool Equals(const ConfigOptions&, const std::string& name, const void* a,
            const void* b, std::string* mismatch) {
  if (GetOption(name, static_cast<const SharedOptions*>(a)->Get().options) ==
      GetOption(name, static_cast<const SharedOptions*>(b)->Get().options)) {
    return true;
  }
  *mismatch = name;
  return false;
}

SharedOptions::Values ValuesOf(const FilterOptions& options) {
  SharedOptions::Values values;
  values.options = options;
  if (options.level_bits_per_key.empty()) {
    values.bits_of_kind = AskedBitsPerKey(options, options.kind);
    values.bits_of_bloom = options.bloom_before_level < 0
                               ? values.bits_of_kind
                               : AskedBitsPerKey(options, Kind::kBloom);
  }
  return values;
}

}  // namespace

Status ToStatus(const std::string& error) {
  return error.empty() ? Status::OK() : Status::InvalidArgument(error);
}

SharedOptions::SharedOptions(const FilterOptions& options, const Status& error)
    : creation_error_(error), mistake_(error), values_(ValuesOf(options)) {}

SharedOptions::Values SharedOptions::Get() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return values_;
}

Status SharedOptions::Set(const std::string& name, const std::string& value) {
  std::lock_guard<std::mutex> lock(mutex_);
  FilterOptions options = values_.options;
  const Status status = ToStatus(SetOption(name, value, &options));
  if (status.ok()) {
    values_ = ValuesOf(options);
  } else {
    mistake_ = status;
  }
  return status;
}

void SharedOptions::RecordMistake(const Status& error) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!error.ok() || !in_use_) mistake_ = error;
}

Status SharedOptions::ValidateForOpen() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (in_use_) return Status::OK();
  if (!creation_error_.ok()) return creation_error_;
  in_use_ = mistake_.ok();
  return mistake_;
}

std::string SharedOptions::MistakeToLog() {
  std::lock_guard<std::mutex> lock(mutex_);
  const Status& error = mistake_.ok() && !in_use_ ? creation_error_ : mistake_;
  const std::string text = error.ok() ? "" : error.getState();
  if (in_use_) mistake_ = Status::OK();
  return text;
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

std::optional<FilterOptions> OptionsOf(const rocksdb::FilterPolicy& policy) {
  const auto* const options = policy.GetOptions<SharedOptions>(kPolicyName);
  if (options == nullptr) return std::nullopt;
  return options->Get().options;
}

}  // namespace oneline
