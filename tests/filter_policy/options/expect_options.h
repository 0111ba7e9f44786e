// Example options and mistakes in options, from the rows of the table, for
// every way in which options come in.

#ifndef ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_
#define ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "oneline/filter_options.h"
#include "tests/testing.h"

namespace oneline {

// No option has its default, so that a test sees which ones change; but of
// those that exclude each other only the first is given.
inline FilterOptions Unusual() {
  FilterOptions options;
  for (const OptionRow& option : kOptions) {
    const bool excluded = std::any_of(
        kOptions.begin(), kOptions.end(), [&](const OptionRow& other) {
          return Exclusive(option, other) && other.given(options);
        });
    if (excluded) continue;
    EXPECT_TRUE(option.parse(option.example, &options));
  }
  return options;
}

// Each option as it is printed. (option_table_test: every field is an option.)
inline void ExpectEqual(const FilterOptions& a, const FilterOptions& b) {
  for (const OptionRow& option : kOptions) {
    EXPECT_EQ(option.print(a), option.print(b)) << option.name;
  }
}

// Expects an error that has all of `parts`.
inline void ExpectError(const std::string& error,
                        const std::vector<std::string>& parts) {
  EXPECT_NE(error, "");
  for (const std::string& part : parts) {
    EXPECT_NE(error.find(part), std::string::npos)
        << "no \"" << part << "\" in: " << error;
  }
}

struct Mistake {
  // The policy as text: a name, or {id=oneline;<options>}. Both are empty if
  // the mistake can only be made in code.
  std::string text, options;
  std::vector<std::string> error;     // all of this is in the error
  std::optional<FilterOptions> made;  // in code; not all can be
  bool is_one_option = false;
  bool unknown = false;  // later versions may have the option
};

inline std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << (mistake.text.empty() ? mistake.error[0] : mistake.text);
}

inline Mistake MistakeOf(const std::string& options,
                         const std::vector<std::string>& error) {
  Mistake mistake;
  mistake.text = "{id=oneline;" + options + "}";
  mistake.options = options;
  mistake.error = error;
  mistake.is_one_option =
      !options.empty() && options.find(';') == std::string::npos;
  return mistake;
}

// One of each sort.
inline std::vector<Mistake> SomeMistakes() {
  std::vector<Mistake> mistakes = {
      MistakeOf("", {"bits_per_key=10:false", "1 to 100"}),
      MistakeOf("bits_per_key=", {"bits_per_key=", "1 to 100"}),
      MistakeOf("hits=90%", {"hits=90%", "0 to 1"}),
      MistakeOf("bits_per_key=10;hash_seed=x", {"hash_seed=x", "random"}),
      MistakeOf("level_bits_per_key=16:8;kind=ribbon;bits_per_key=9",
                {"bits_per_key=9", "level_bits_per_key=16:8", "both given"}),
      MistakeOf("bits=10", {"bits: no such option", "bits_per_key"}),
  };
  mistakes.front().text = "oneline:10:false";
  mistakes.back().is_one_option = false;
  mistakes.back().unknown = true;
  return mistakes;
}

// Those, the wrong value of each row, and each pair of options that exclude
// each other.
inline std::vector<Mistake> AllMistakes() {
  std::vector<Mistake> mistakes = SomeMistakes();
  const auto name_value = [](const OptionRow& option, const char* value) {
    return std::string(option.name) + "=" + value;
  };
  for (const OptionRow& option : kOptions) {
    const std::string wrong = name_value(option, option.wrong);
    mistakes.push_back(MistakeOf(wrong, {wrong, option.bounds}));
    FilterOptions made;
    option.parse(option.wrong, &made);
    if (option.given(made)) mistakes.back().made = made;
    for (const OptionRow& other : kOptions) {
      if (!option.excludes_option(other.name)) continue;
      const std::string a = name_value(option, option.example);
      const std::string b = name_value(other, other.example);
      mistakes.push_back(MistakeOf(a + ";" + b, {a, b, "both given"}));
      FilterOptions both;
      option.parse(option.example, &both);
      other.parse(other.example, &both);
      mistakes.back().made = both;
    }
  }
  for (const char* name : {"fp_rate", "max_filter_bytes", "hash_seed"}) {
    const OptionRow& option = *FindOption(name);
    const std::string set = name_value(option, option.example);
    FilterOptions both;
    both.kind = Kind::kRocksDBRibbon;
    option.parse(option.example, &both);
    for (const std::string& text :
         {set + ";kind=rocksdb_ribbon", "kind=rocksdb_ribbon;" + set}) {
      mistakes.push_back(
          MistakeOf(text, {set, "kind=rocksdb_ribbon", "do not have it"}));
      mistakes.back().made = both;
    }
  }
  FilterOptions no_kind, no_number;
  no_kind.kind = static_cast<Kind>(200);
  no_number.bits_per_key = std::numeric_limits<double>::quiet_NaN();
  mistakes.push_back(MistakeOf("", {"kind=200", "ribbon, bloom"}));
  mistakes.back().text = "";
  mistakes.back().made = no_kind;
  mistakes.push_back(MistakeOf("", {"bits_per_key=nan", "1 to 100"}));
  mistakes.back().text = "oneline:nan";
  mistakes.back().made = no_number;
  return mistakes;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_OPTIONS_EXPECT_OPTIONS_H_
