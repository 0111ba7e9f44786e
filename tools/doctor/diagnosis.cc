#include "tools/doctor/diagnosis.h"

#include "tools/doctor/block_cache_checker.h"
#include "tools/doctor/column_family_checker.h"

namespace oneline {

Diagnosis Diagnose(const DatabaseSnapshot& snapshot) {
  Diagnosis diagnosis;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    ColumnFamilyChecker(snapshot, family, &diagnosis).Run();
  }
  CheckBlockCaches(snapshot, &diagnosis);
  return diagnosis;
}

}  // namespace oneline
