// The part of `oneline --help` about the options of filters.

#ifndef ONELINE_TOOLS_COMMAND_OPTION_LIST_H_
#define ONELINE_TOOLS_COMMAND_OPTION_LIST_H_

#include <string>

namespace oneline {

// What each row of filter_policy/options/option_table.h says, with a heading:
// lines of at most 80 characters.
std::string OptionList();

}  // namespace oneline

#endif  // ONELINE_TOOLS_COMMAND_OPTION_LIST_H_
