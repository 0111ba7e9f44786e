#include "filter_policy/options/filter_options_text.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/options/option_table.h"

namespace oneline {
namespace {

std::string NameAndValue(const OptionRow& option, std::string_view value) {
  return std::string(option.name).append("=").append(value);
}

std::string OutOfBounds(const OptionRow& option, std::string_view value) {
  return "oneline: " + NameAndValue(option, value) + ": must be " +
         option.bounds;
}

std::string NoSuchOption(std::string_view name) {
  std::string error = "oneline: ";
  error.append(name).append(": no such option, must be one of ");
  for (const OptionRow& option : kOptions) {
    error.append(&option == kOptions.begin() ? "" : ", ").append(option.name);
  }
  return error;
}

// An error if one of the options given excludes another one. As defaults they
// do not.
std::string CheckExclusive(const FilterOptions& options) {
  for (const OptionRow& option : kOptions) {
    for (const OptionRow& other : kOptions) {
      if (option.excludes_option(other.name) && option.given(options) &&
          other.given(options)) {
        return "oneline: " + NameAndValue(other, other.print(options)) +
               " and " + NameAndValue(option, option.print(options)) +
               ": both given, must be one of them";
      }
    }
  }
  return "";
}

// An error if an option is given that RocksDB's own filters do not have.
std::string CheckKind(const FilterOptions& options) {
  if (!IsRocksDBs(options.kind)) return "";
  for (const char* name : {"fp_rate", "max_filter_bytes", "hash_seed"}) {
    const OptionRow& option = *FindOption(name);
    if (!option.given(options)) continue;
    return "oneline: " + NameAndValue(option, option.print(options)) +
           ": must not be given with kind=" + GetOption("kind", options) +
           ": RocksDB's own filters do not have it";
  }
  return "";
}

std::string NotAPolicy(std::string_view text) {
  return std::string("oneline: \"")
      .append(text)
      .append(
          "\" names no policy of this library: must be oneline, "
          "oneline:<bits_per_key> or {id=oneline;<option>=<value>;...}");
}

// The options of "{id=<id>;<name>=<value>;...}", from between the braces.
// Returns the id.
std::string_view SplitOptions(std::string_view text, NamesAndValues* given) {
  std::string_view id;
  while (!text.empty()) {
    const std::string_view option = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(option.size() + 1, text.size()));
    if (Trimmed(option).empty()) continue;
    const size_t equals = std::min(option.find('='), option.size());
    const std::string_view name = Trimmed(option.substr(0, equals));
    const std::string_view value =
        Trimmed(option.substr(std::min(equals + 1, option.size())));
    if (name == "id") {
      id = value;
    } else {
      given->emplace_back(name, value);
    }
  }
  return id;
}

}  // namespace

std::string SetOption(std::string_view name, std::string_view value,
                      FilterOptions* options) {
  const OptionRow* option = FindOption(name);
  if (option == nullptr) return NoSuchOption(name);
  FilterOptions changed = *options;
  if (!option->parse(value, &changed)) {
    // Such as "random".
    const bool is_default = !value.empty() && value == option->default_text;
    if (!is_default) return OutOfBounds(*option, value);
    option->reset(&changed);
  }
  for (const OptionRow& other : kOptions) {
    if (option->given(changed) && Exclusive(*option, other)) {
      other.reset(&changed);
    }
  }
  std::string error = CheckKind(changed);
  if (error.empty()) *options = std::move(changed);
  return error;
}

std::string SetOptionsTogether(const NamesAndValues& given,
                               FilterOptions* options) {
  FilterOptions changed = *options;
  FilterOptions together;
  std::set<std::string_view> names;
  for (const auto& [name, value] : given) {
    std::string error = SetOption(name, value, &changed);
    if (!error.empty()) return error;
    const OptionRow& option = *FindOption(name);
    if (!names.insert(name).second) {
      return "oneline: " + NameAndValue(option, value) +
             ": given twice, must be given once";
    }
    option.parse(value, &together);
  }
  std::string error = CheckExclusive(together);
  if (error.empty()) *options = std::move(changed);
  return error;
}

std::string GetOption(std::string_view name, const FilterOptions& options) {
  const OptionRow* option = FindOption(name);
  assert(option != nullptr);
  if (option->given(options)) return option->print(options);
  for (const OptionRow& other : kOptions) {
    if (Exclusive(*option, other) && other.given(options)) return "";
  }
  return option->default_text;
}

std::string ChangedOptions(const FilterOptions& options) {
  std::string text;
  for (const OptionRow& option : kOptions) {
    const std::string value = GetOption(option.name, options);
    if (value.empty() || value == option.default_text) continue;
    text.append(text.empty() ? "" : ";").append(NameAndValue(option, value));
  }
  return text;
}

std::string Normalise(FilterOptions* options) {
  for (const OptionRow& option : kOptions) {
    if (option.normalise(options) || !option.given(*options)) continue;
    return OutOfBounds(option, option.print(*options));
  }
  const std::string error = CheckExclusive(*options);
  return error.empty() ? CheckKind(*options) : error;
}

std::string ParsePolicy(std::string_view text, FilterOptions* options) {
  const std::string with_bits = std::string(kPolicyName) + ":";
  NamesAndValues given;
  std::string_view id = text;
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    id = SplitOptions(text.substr(1, text.size() - 2), &given);
  }
  FilterOptions parsed;
  std::string error;
  if (id.substr(0, with_bits.size()) == with_bits) {
    // As in RocksDB, before the options behind it.
    error = SetOption("bits_per_key", id.substr(with_bits.size()), &parsed);
  } else if (id != kPolicyName) {
    return NotAPolicy(text);
  }
  if (error.empty()) error = SetOptionsTogether(given, &parsed);
  if (error.empty()) *options = parsed;
  return error;
}

}  // namespace oneline
