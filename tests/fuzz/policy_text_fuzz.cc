// Fuzz target: the text of a policy to options, to text, to options. Both ways
// give the same options; RocksDB makes the same policy of the text as we do;
// and what is refused is refused in words and changes nothing.
//
// The input is the text. In the form "name=value" it is also a single option.

#include <rocksdb/convenience.h>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "oneline/filter_options.h"
#include "tests/fuzz/fuzz_input.h"
#include "tools/database/configured_policy.h"

namespace oneline {
namespace {

// What tells two sets of options apart: each option as text.
std::string AllOptions(const FilterOptions& options) {
  std::string text;
  for (const OptionRow& option : kOptions) {
    text.append(option.name).append("=");
    text.append(GetOption(option.name, options)).append("\n");
  }
  return text;
}

void RequireWords(const std::string& error) {
  Require(error.rfind("oneline: ", 0) == 0 &&
              error.find("must be") != std::string::npos,
          "an error says what would be right", error);
}

void CheckSame(const FilterOptions& options, const std::string& text) {
  FilterOptions again;
  const std::string error = ParsePolicy(text, &again);
  Require(error.empty(), "a printed policy parses", error);
  Require(AllOptions(again) == AllOptions(options),
          "a printed policy parses to the same options", text);
}

// RocksDB takes names that we don't, and of options that are given twice only
// the last; we take empty ones. What both take is the same policy.
void CheckAsRocksDB(const std::string& text, const std::string& error,
                    const FilterOptions& options) {
  const ConfiguredPolicy configured = PolicyInOptions(text);
  Require((configured.policy != nullptr) ==
              (configured.state == PolicyState::kValid),
          "a valid policy is there", text);
  if (!configured.options.has_value() || !error.empty()) return;
  Require(AllOptions(*configured.options) == AllOptions(options),
          "RocksDB makes the same policy", text);
}

void CheckPolicy(const std::string& text) {
  FilterOptions options;
  options.bits_by_level = false;
  const std::string before = AllOptions(options);
  const std::string error = ParsePolicy(text, &options);
  CheckAsRocksDB(text, error, options);
  if (!error.empty()) {
    RequireWords(error);
    Require(AllOptions(options) == before, "an error changes nothing", text);
    return;
  }
  FilterOptions normal = options;
  Require(Normalise(&normal).empty(), "what was parsed is valid", text);
  const std::string printed = PolicyText(options);
  CheckSame(options, printed);
  const ConfiguredPolicy configured = PolicyInOptions(printed);
  Require(configured.options.has_value() &&
              AllOptions(*configured.options) == AllOptions(options),
          "RocksDB makes the same policy of what is printed", printed);
}

void CheckOption(std::string_view name, std::string_view value) {
  FilterOptions options;
  options.bits_by_level = false;
  options.bits_per_key = 7;
  const std::string before = AllOptions(options);
  const std::string error = SetOption(name, value, &options);
  if (error.empty()) {
    FilterOptions normal = options;
    Require(Normalise(&normal).empty(), "what was set is valid", value);
    CheckSame(options, PolicyText(options));
    return;
  }
  RequireWords(error);
  Require(AllOptions(options) == before, "an error changes nothing", value);
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckPolicy(text);
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return 0;
  CheckOption(std::string_view(text).substr(0, equals),
              std::string_view(text).substr(equals + 1));
  CheckPolicy("{id=oneline;" + text + "}");
  return 0;
}
