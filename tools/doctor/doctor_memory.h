// Whether the block cache holds the filters.

#ifndef ONELINE_TOOLS_DOCTOR_DOCTOR_MEMORY_H_
#define ONELINE_TOOLS_DOCTOR_DOCTOR_MEMORY_H_

#include "tools/doctor/doctor_findings.h"

namespace oneline {

void LookAtMemory(const Patient& patient, Diagnosis* diagnosis);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DOCTOR_MEMORY_H_
