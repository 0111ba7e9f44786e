// The table of options, a row each: its name, what it takes, what it does, and
// how its field is read and printed. Parsing, errors, validation, RocksDB's
// OPTIONS files, `oneline --help` and the table in docs/options.md follow from
// the rows.
//
// To add an option, add a field to FilterOptions, a row in option_table.cc and
// a line in docs/options.md, which a test compares with the row.

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

// Rounding to the precision in which a number is used, saved and compared: to
// thousandths, and to the six digits of a printed number.
double ToThousandths(double number);
double ToSixDigits(double number);

// How an option's field in FilterOptions is read, printed and checked.
class OptionField {
 public:
  // The types that options have. An optional without a value, and a list
  // without numbers, are options that are not given.
  using Pointer = std::variant<Kind FilterOptions::*, bool FilterOptions::*,
                               int FilterOptions::*, double FilterOptions::*,
                               std::optional<double> FilterOptions::*,
                               std::optional<uint64_t> FilterOptions::*,
                               std::vector<double> FilterOptions::*>;
  using Rounding = double (*)(double);

  // The least and the most that each number of the field may be; of a Kind its
  // number. `rounding`: of doubles; null for none.
  constexpr explicit OptionField(
      Pointer pointer, double least = -std::numeric_limits<double>::infinity(),
      double most = std::numeric_limits<double>::infinity(),
      Rounding rounding = nullptr)
      : pointer_(pointer), least_(least), most_(most), rounding_(rounding) {}

  // Sets the field from text, without regard to bounds and precision. False,
  // with nothing changed, if the text is no value of the field's type.
  bool parse(std::string_view text, FilterOptions* options) const;

  // The value as text: a number with six digits; a number, too, for a Kind that
  // is none; numbers with colons between them for a list; nothing for an
  // optional without a value.
  std::string print(const FilterOptions& options) const;

  // Whether the option takes this value.
  bool in_bounds(const FilterOptions& options) const;

  void round(FilterOptions* options) const;

  // Whether the value differs from the field's initial one.
  bool given(const FilterOptions& options) const;

  // Sets the field to its initial value.
  void reset(FilterOptions* options) const;

 private:
  Pointer pointer_;
  double least_, most_;
  Rounding rounding_;
};

struct OptionRow {
  // As in FilterOptions and in OPTIONS files.
  const char* name;

  // The type and the bounds, in words that complete "must be ...".
  const char* bounds;

  // What the option prints as while it is not given: its default, or a word
  // such as "auto". Empty: nothing.
  const char* default_text;

  // Options that cannot be given together with this one; null if fewer. A pair
  // stands in one of its two rows.
  std::array<const char*, 2> excludes;

  // Why our policy for LevelDB refuses the option; null if it takes it.
  const char* not_in_leveldb;

  // What the option does: one line, without a full stop.
  const char* help;

  OptionField field;
};

// All rows, in the order of the docs: for (const OptionRow& option : kOptions).
struct OptionTable {
  const OptionRow* begin() const;
  const OptionRow* end() const;
};
inline constexpr OptionTable kOptions = {};

// Null if there is no option of that name.
const OptionRow* FindOption(std::string_view name);

// Whether the row of `option` names `other` among those it excludes.
bool Excludes(const OptionRow& option, const OptionRow& other);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_OPTION_TABLE_H_
