// One column family as a doctor looks at it: what its findings have in common.

#ifndef ONELINE_TOOLS_DOCTOR_DOCTOR_FAMILY_H_
#define ONELINE_TOOLS_DOCTOR_DOCTOR_FAMILY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/database/configured_policy.h"
#include "tools/doctor/doctor_findings.h"

namespace oneline {

// How tables get the filters that the options want; RewriteCommand follows.
inline constexpr char kRewrite[] =
    "Compaction writes them anew: let it come by itself, call CompactRange "
    "with bottommost_level_compaction=kForceOptimized in the program that has "
    "the database open, or while none has it:";

// Groups tables by level, for one finding.
class Levels {
 public:
  void Add(const TableSummary& table, double expected_bytes = 0);
  uint64_t tables() const { return tables_; }
  std::vector<LevelTables> list() const;

 private:
  std::map<int, LevelTables> levels_;
  uint64_t tables_ = 0;
};

// Borrows the patient and the diagnosis.
class FamilyDoctor {
 public:
  FamilyDoctor(const Patient& patient, const ColumnFamilySummary& family,
               Diagnosis* diagnosis);

  void Look();

 private:
  // Of the options, in doctor_options.cc.
  void LookAtOtherFormat();
  void LookAtPolicy();
  void LookAtPolicyGone();
  bool LookAtKeys();
  void LookAtPinning();

  // Of the tables, in doctor_tables.cc.
  void LookAtUnreadableTables();
  void LookAtDamagedFilters();
  void LookAtTables();
  bool MayLackFilter(const TableSummary& table) const;
  void ReportMissing(const Levels& missing);
  void ReportOtherKind(const Levels& levels, const std::set<std::string>& kinds,
                       const std::set<std::string>& wanted);
  void ReportOtherSize(const Levels& levels);
  // "1 of 4 tables has", "3 of 4 tables have".
  std::string TablesOf(const Levels& levels, const char* has,
                       const char* have) const;
  void Report(const std::string& kind, const Levels& levels,
              const std::string& what);

  Finding& Add(const std::string& kind, const std::string& what,
               const std::string& remedy);

  // The policy as an OPTIONS file has it: "nullptr" for none.
  std::string PolicyIn(const OptionsFile& options) const;
  std::string OptionsName() const;  // of the newest OPTIONS file
  std::string Section() const;      // of it that the policy stands in
  std::string RewriteCommand() const;

  const Patient& patient_;
  const ColumnFamilySummary& family_;
  const ConfiguredPolicy configured_;
  Diagnosis* const diagnosis_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_DOCTOR_FAMILY_H_
