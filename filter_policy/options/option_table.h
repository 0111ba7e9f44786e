// The table of options, a row each: its name, what it takes, what it does, and
// its field in FilterOptions. Parsing, errors, RocksDB's OPTIONS files,
// `oneline --help`, the table in docs/options.md, and the tests of all options
// follow from the rows. CONTRIBUTING.md says where else an option stands.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_OPTION_TABLE_H_
#define ONELINE_FILTER_POLICY_OPTIONS_OPTION_TABLE_H_

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

// Without the spaces around it.
std::string_view Trimmed(std::string_view text);

// A number from text; false, with *value unspecified, if it is none. Numbers
// are read and printed as in C, whatever the process's locale, and may have
// spaces around them.
bool ParseValue(std::string_view text, double* value);
bool ParseValue(std::string_view text, int* value);

// The precision of a double, in which it is stored, saved and compared.
enum class Precision { kAll, kThousandths, kSixDigits };

struct OptionRow {
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();

  // The types that options have. An optional without a value, and a list
  // without numbers, are options that are not given.
  using Field = std::variant<Kind FilterOptions::*, bool FilterOptions::*,
                             int FilterOptions::*, double FilterOptions::*,
                             std::optional<double> FilterOptions::*,
                             std::optional<uint64_t> FilterOptions::*,
                             std::vector<double> FilterOptions::*>;

  // As in FilterOptions and in OPTIONS files.
  const char* name;

  // The type and the bounds, in words that complete "must be ...".
  const char* bounds;

  // What the option prints as while it is not given: its default, or a word
  // such as "random". Empty: nothing.
  const char* default_text;

  // For tests: a value that is no default, as it is printed; and a wrong one.
  const char* example;
  const char* wrong;

  // Options that cannot be given together with this one; null if fewer. A pair
  // stands in one of its two rows.
  std::array<const char*, 2> excludes;

  // Why our policy for LevelDB refuses the option; null if it takes it.
  const char* not_in_leveldb;

  // What the option does: one line, without a full stop.
  const char* help;

  Field field;

  // The least and the most that each number may be; of a Kind its number.
  double least = -kNoBound, most = kNoBound;
  Precision precision = Precision::kAll;

  // Whether the value differs from the field's initial one.
  bool given(const FilterOptions& options) const;

  // Sets the field to its initial value.
  void reset(FilterOptions* options) const;

  // Rounds the value to the precision. False if it is out of bounds then.
  bool normalise(FilterOptions* options) const;

  // Sets the field from text, rounded. False, with *options unspecified, if the
  // text is no value of the type, or one out of bounds.
  bool parse(std::string_view text, FilterOptions* options) const;

  // The value as text: a number with six digits; a number, too, for a Kind that
  // is none; numbers with colons between them for a list; nothing for an
  // optional without a value.
  std::string print(const FilterOptions& options) const;

  bool excludes_option(std::string_view other) const;
};

// All rows, in the order of the docs: for (const OptionRow& option : kOptions).
struct OptionTable {
  const OptionRow* begin() const;
  const OptionRow* end() const;
};
inline constexpr OptionTable kOptions = {};

// Null if there is no option of that name.
const OptionRow* FindOption(std::string_view name);

// Whether the two cannot be given together.
bool Exclusive(const OptionRow& a, const OptionRow& b);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_OPTION_TABLE_H_
