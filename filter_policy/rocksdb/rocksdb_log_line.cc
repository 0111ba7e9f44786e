#include "filter_policy/rocksdb/rocksdb_log_line.h"

#include <rocksdb/version.h>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "oneline/version.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

std::string ChangedOptions(const FilterOptions& options) {
  std::string text;
  for (const OptionRow& option : kOptions) {
    if (!option.given(options)) continue;
    const std::string value = GetOption(option.name, options);
    if (value == option.default_text) continue;
    text += (text.empty() ? "" : ";") + (option.name + ("=" + value));
  }
  return text.empty() ? "default options" : text;
}

}  // namespace

void LogLine::Write(rocksdb::Logger* log, const std::string& column_family,
                    const FilterOptions& options) {
  if (log == nullptr) return;
  const std::string changed = ChangedOptions(options);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string& written = written_[log];
    if (written == changed) return;
    written = changed;
  }
  const auto set = static_cast<size_t>(ChosenInstructionSet());
  // Printed at any info_log_level, and again in a LOG that follows this one.
  rocksdb::Header(log, "[%s] oneline: version %s for RocksDB %s, %s, %s",
                  column_family.c_str(), ONELINE_VERSION,
                  rocksdb::GetRocksVersionAsString().c_str(),
                  kInstructionSetNames[set], changed.c_str());
}

void LogLine::BeginDatabase() {
  const std::lock_guard<std::mutex> lock(mutex_);
  written_.clear();
}

}  // namespace oneline
