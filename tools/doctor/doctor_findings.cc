#include "tools/doctor/doctor_findings.h"

#include "tools/doctor/doctor_family.h"
#include "tools/doctor/doctor_memory.h"

namespace oneline {

Diagnosis Diagnose(const Patient& patient) {
  Diagnosis diagnosis;
  for (const ColumnFamilySummary& family : patient.database.column_families) {
    FamilyDoctor(patient, family, &diagnosis).Look();
  }
  LookAtMemory(patient, &diagnosis);
  return diagnosis;
}

}  // namespace oneline
