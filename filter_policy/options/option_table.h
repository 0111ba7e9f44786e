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
#include <string_view>

#include "filter_policy/options/option_field.h"

namespace oneline {

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
