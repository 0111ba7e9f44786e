// Compares the filters with what lookups met, by the statistics in the LOG.

#ifndef ONELINE_TOOLS_DOCTOR_STATISTICS_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_STATISTICS_CHECKER_H_

#include "tools/doctor/diagnosis.h"

namespace oneline {

// Adds findings, and a note with the false-positive rate. Nothing without a
// sample of statistics, which only programs that keep them leave.
void CheckStatistics(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_STATISTICS_CHECKER_H_
