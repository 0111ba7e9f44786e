// Prints plans of filters as text and as JSON, on standard output.

#ifndef ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
#define ONELINE_TOOLS_SIZE_SIZE_REPORT_H_

#include <vector>

#include "tools/size/size_plan.h"

namespace oneline {

// Of a tree the levels of the first two plans, one of them by level, are
// printed one by one.
void PrintSizeTable(const Store& store, const SizeWanted& wanted,
                    const std::vector<SizePlan>& plans);

// Memory is in bytes. A Ribbon has "columns" in place of "probes". A tree has
// "levels" in place of a rate; keys, filters and memory there are those of all
// runs of the level. A level without filters has 0 "asked_bits_per_key" and no
// "probes".
void PrintSizeJson(const Store& store, const std::vector<SizePlan>& plans);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_SIZE_REPORT_H_
