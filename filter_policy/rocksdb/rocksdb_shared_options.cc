#include "filter_policy/rocksdb/rocksdb_shared_options.h"

#include <rocksdb/convenience.h>

#include <utility>

#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

using rocksdb::ConfigOptions;
using rocksdb::OptionTypeInfo;
using rocksdb::Status;

Status Parse(const ConfigOptions&, const std::string& name,
             const std::string& value, void* options) {
  return ToStatus(static_cast<SharedOptions*>(options)->Set(name, value));
}

// RocksDB omits options whose text is empty: those that have their defaults. So
// an older version of this library, which lacks an option, can read the file of
// a newer one that does not use it. In detail, which no file has, it asks up to
// 9.7 for what it sets again after a mistake: one option must be there for
// SetAll to be called.
Status Serialize(const ConfigOptions& config, const std::string& name,
                 const void* options, std::string* value) {
  const auto* const shared = static_cast<const SharedOptions*>(options);
  shared->EndCall();
  const FilterOptions set = shared->Get();
  const bool is_wanted =
      FindOption(name)->given(set) || (config.IsDetailed() && name == "kind");
  *value = is_wanted ? GetOption(name, set) : "";
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

SharedOptions::SharedOptions(const FilterOptions& options,
                             const std::string& mistake)
    : made_wrong_(!mistake.empty()), options_(options), mistake_(mistake) {}

FilterOptions SharedOptions::Get() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return options_;
}

std::string SharedOptions::Set(const std::string& name,
                               const std::string& value) {
  std::lock_guard<std::mutex> lock(mutex_);
  in_call_[name] = value;
  const std::string mistake =
      SetLocked({in_call_.begin(), in_call_.end()}, options_);
  if (!mistake.empty()) in_call_.clear();
  return mistake;
}

void SharedOptions::EndCall() const {
  std::lock_guard<std::mutex> lock(mutex_);
  in_call_.clear();
}

std::string SharedOptions::SetAll(const NamesAndValues& given) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (made_wrong_) return mistake_;
  return SetLocked(given, in_use_ ? FilterOptions() : options_);
}

std::string SharedOptions::SetLocked(const NamesAndValues& given,
                                     FilterOptions options) {
  const std::string mistake = SetOptionsTogether(given, &options);
  if (mistake.empty()) options_ = std::move(options);
  // What an open database has yet to log is kept.
  if (!mistake.empty() || (!in_use_ && !made_wrong_)) mistake_ = mistake;
  return mistake;
}

std::string SharedOptions::BeginUse() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (in_use_) return "";
  in_use_ = mistake_.empty();
  return mistake_;
}

std::string SharedOptions::TakeMistakeToLog() {
  std::lock_guard<std::mutex> lock(mutex_);
  return in_use_ ? std::exchange(mistake_, "") : mistake_;
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
  const auto* const options = policy.GetOptions<SharedOptions>(kOptionsName);
  if (options == nullptr) return std::nullopt;
  return options->Get();
}

}  // namespace oneline
