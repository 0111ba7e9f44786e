// Checks that the block caches of a database can hold its filters.

#ifndef ONELINE_TOOLS_DOCTOR_BLOCK_CACHE_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_BLOCK_CACHE_CHECKER_H_

#include "tools/doctor/diagnosis.h"

namespace oneline {

// Adds a finding for each cache that is smaller than its filters, and a note
// for each whose size is not known. Column families may share a cache.
void CheckBlockCaches(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_BLOCK_CACHE_CHECKER_H_
