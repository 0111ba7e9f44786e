#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <rocksdb/convenience.h>
#include <rocksdb/slice.h>

#include <string_view>

#include "filter_policy/options/filter_options_text.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

Status Parse(const ConfigOptions&, const std::string& name,
             const std::string& value, void* options) {
  return static_cast<SharedOptions*>(options)->Set(name, value);
}

// RocksDB leaves out of its text what is empty, as are those of options that
// exclude each other that are not given.
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

Status FromAbsl(const absl::Status& status) {
  if (status.ok()) return Status::OK();
  return Status::InvalidArgument(
      rocksdb::Slice(status.message().data(), status.message().size()));
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
  return FromAbsl(SetOption(name, value, &options_));
}

Status SharedOptions::Problem() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return made_with_.ok() ? problem_ : made_with_;
}

void SharedOptions::KeepProblem(const Status& problem) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!in_use_) problem_ = problem;
}

Status SharedOptions::BeginUse() {
  const Status problem = Problem();
  std::lock_guard<std::mutex> lock(mutex_);
  in_use_ = problem.ok();
  return problem;
}

bool SharedOptions::in_use() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return in_use_;
}

const std::unordered_map<std::string, OptionTypeInfo>& OptionTypes() {
  static const auto* const types = [] {
    auto* map = new std::unordered_map<std::string, OptionTypeInfo>;
    for (const std::string_view name : kOptionNames) {
      map->emplace(std::string(name),
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
