// Prints plans of filters as text and as JSON, on standard output.

#ifndef ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
#define ONELINE_TOOLS_SIZE_SIZE_REPORT_H_

#include <vector>

#include "tools/size/size_plan.h"

namespace oneline {

// With `is_tree` the levels of the first three plans are printed one by one;
// these must be those of one kind, one for each Spread in its order.
void PrintSizeTable(const Store& store, bool is_tree, const SizeWanted& wanted,
                    const std::vector<SizePlan>& plans);

// Memory is in bytes. A Ribbon has "columns" in place of "probes". A tree has
// "levels" in place of a rate; keys, filters and memory there are those of all
// runs of the level. A level without filters has 0 "asked_bits_per_key" and no
// "probes".
void PrintSizeJson(const Store& store, bool is_tree,
                   const std::vector<SizePlan>& plans);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
