// The checks of a database as a whole. Each adds what it finds.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_

#include "tools/doctor/diagnosis.h"

namespace oneline {

// Findings about its file numbers, and about column families that are expected
// and not there; and a note if nobody asks for filters, which nothing else in
// `diagnosis` says.
void CheckDatabase(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

// A finding for each block cache that is smaller than its filters, and a note
// for each whose size is not known. Column families may share a cache.
void CheckBlockCaches(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

// Findings where filters do not do what lookups met, by the statistics in the
// LOG, and a note with the false-positive rate. Nothing without such a sample,
// which only programs that keep statistics leave.
void CheckStatistics(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_
