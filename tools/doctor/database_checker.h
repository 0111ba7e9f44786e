// The checks of a database as a whole.

#ifndef ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_
#define ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_

#include "tools/doctor/diagnosis.h"

namespace oneline {

// Adds findings about its file numbers, and about column families that are
// expected and not there; and a note if nobody asks for filters, which nothing
// else in `diagnosis` says.
void CheckDatabase(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DATABASE_CHECKER_H_
