#include "tools/doctor_findings.h"

#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/byte_size.h"
#include "tools/configured_policy.h"
#include "tools/expected_filter.h"
#include "tools/number_text.h"
#include "tools/shell_words.h"

namespace oneline {
namespace {

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// "1 of 4 tables has", "3 of 4 tables have".
std::string TablesOf(uint64_t n, uint64_t all, const char* has,
                     const char* have) {
  return absl::StrCat(WithCommas(n), " of ", Tables(all), " ",
                      n == 1 ? has : have);
}

// Groups tables by level, for one finding.
class Levels {
 public:
  void Add(const TableSummary& table, double expected_bytes = 0) {
    LevelTables& level = levels_[table.file.level];
    level.level = table.file.level;
    ++level.tables;
    level.keys += table.keys;
    level.filter_bytes += table.filter_bytes;
    level.expected_bytes += expected_bytes;
    ++tables_;
  }

  uint64_t tables() const { return tables_; }

  std::vector<LevelTables> list() const {
    std::vector<LevelTables> all;
    for (const auto& [number, level] : levels_) all.push_back(level);
    return all;
  }

 private:
  std::map<int, LevelTables> levels_;
  uint64_t tables_ = 0;
};

// Looks at one column family.
class FamilyDoctor {
 public:
  FamilyDoctor(const Patient& patient, const ColumnFamilySummary& family,
               Diagnosis* diagnosis)
      : patient_(patient),
        family_(family),
        configured_(PolicyInOptions(TextOf(patient.options))),
        diagnosis_(diagnosis) {}

  void Look() {
    LookAtUnreadableTables();
    if (family_.table_options() == nullptr) {
      LookAtOtherFormat();
      return;
    }
    LookAtPolicy();
    if (!configured_.wanted()) {
      LookAtPolicyGone();
      return;
    }
    if (LookAtKeys()) return;
    LookAtDamagedFilters();
    if (configured_.policy != nullptr) LookAtTables();
    LookAtPinning();
  }

 private:
  std::string TextOf(const OptionsFile& options) const {
    const std::string text =
        options.Get(kTableSection, family_.name, "filter_policy")
            .value_or("nullptr");
    return text.empty() ? "nullptr" : text;
  }

  std::string OptionsName() const {
    return FileName(patient_.database.options_file);
  }

  std::string Section() const {
    return absl::StrCat("[", kTableSection, " \"", family_.name, "\"]");
  }

  Finding& Add(const std::string& kind, const std::string& what,
               const std::string& remedy) {
    diagnosis_->findings.push_back({kind, family_.name, what, remedy, {}, {}});
    return diagnosis_->findings.back();
  }

  // How tables get the filters that the options want.
  static constexpr char kRewrite[] =
      "Compaction writes them anew: let it come by itself, call CompactRange "
      "with bottommost_level_compaction=kForceOptimized in the program that "
      "has the database open, or while none has it:";

  std::string RewriteCommand() const {
    return absl::StrCat(configured_.is_ours()
                            ? "LD_PRELOAD=$ONELINE/bazel-bin/liboneline.so "
                            : "",
                        "ldb --db=", ShellWord(patient_.database.path),
                        " --column_family=", ShellWord(family_.name),
                        " --try_load_options compact");
  }

  void LookAtUnreadableTables() {
    Levels levels;
    std::string first;
    for (const TableSummary& table : family_.tables) {
      if (table.status.ok() || absl::IsUnimplemented(table.status)) continue;
      if (first.empty()) first = std::string(table.status.message());
      levels.Add(table);
    }
    if (levels.tables() == 0) return;
    Add("unreadable-table",
        absl::StrCat(TablesOf(levels.tables(), family_.tables.size(),
                              "can't be read", "can't be read"),
                     ", the first: ", first, "."),
        "Restore what is missing or damaged from a backup; if tables are in "
        "directories of their own, say so with --db_paths.")
        .levels = levels.list();
  }

  void LookAtOtherFormat() {
    if (TextOf(patient_.options) == "nullptr") return;
    Add("other-table-format",
        absl::StrCat(
            "A filter policy is set (filter_policy=", configured_.text,
            "), but table_factory=", family_.options.table_factory->Name(),
            ": only block-based tables have filters."),
        "Set table_factory=BlockBasedTable in the options, or no policy.");
  }

  // A policy that nobody knows, or that is set wrongly.
  void LookAtPolicy() {
    if (configured_.problem.ok()) return;
    const std::string line = absl::StrCat("filter_policy=", configured_.text);
    if (absl::IsNotFound(configured_.problem)) {
      Add("unknown-policy",
          absl::StrCat(OptionsName(), " says ", line, ": ",
                       configured_.problem.message(),
                       ". RocksDB loads such a file without a word and then "
                       "writes tables without filters."),
          absl::StrCat("Run every program that writes the database with the "
                       "library that has the policy, or write another one "
                       "under ",
                       Section(), ", as filter_policy=oneline:10"));
    } else {
      Add("wrong-options",
          absl::StrCat(OptionsName(), " says ", line, ": ",
                       configured_.problem.message(), "."),
          absl::StrCat("Correct the line under ", Section(),
                       "; as it is the database can't be opened with it."));
    }
  }

  // No filters are wanted. Is that meant?
  void LookAtPolicyGone() {
    Levels unused, without;
    for (const TableSummary& table : family_.tables) {
      if (!table.status.ok()) continue;
      (table.filter_bytes > 0 ? unused : without).Add(table);
    }
    const std::string before = patient_.older_options.has_value()
                                   ? TextOf(*patient_.older_options)
                                   : "nullptr";
    if (unused.tables() == 0 && before == "nullptr") return;
    std::string what = absl::StrCat(OptionsName(), " has no filter policy");
    if (before != "nullptr") {
      absl::StrAppend(&what, "; ", FileName(patient_.older_options_file),
                      " before it said filter_policy=", before);
    }
    absl::StrAppend(&what, ". ", Tables(without.tables()),
                    without.tables() == 1 ? " has" : " have", " no filter, ",
                    WithCommas(unused.tables()),
                    unused.tables() == 1 ? " has one" : " have one each",
                    " that nobody asks. That is what a program leaves behind "
                    "that opened the database without its options or without "
                    "the library of its policy.");
    Add("policy-gone", what,
        absl::StrCat("If filters are wanted, open the database with a policy "
                     "again, under ",
                     Section(), ": filter_policy=",
                     before == "nullptr" ? "oneline:10" : before,
                     " and let `oneline doctor` look again for tables without "
                     "filters. If none are wanted, this finding passes as "
                     "tables and OPTIONS files are replaced."))
        .levels = unused.list();
  }

  // Whether nothing is put into filters at all.
  bool LookAtKeys() {
    const std::string extractor =
        patient_.options.Get("CFOptions", family_.name, "prefix_extractor")
            .value_or("nullptr");
    if (family_.table_options()->whole_key_filtering ||
        extractor != "nullptr") {
      return false;
    }
    Add("nothing-to-filter",
        "whole_key_filtering=false and prefix_extractor=nullptr: neither keys "
        "nor prefixes are put into filters, which are of no use to any lookup.",
        absl::StrCat("Under ", Section(),
                     " set whole_key_filtering=true, or name a "
                     "prefix_extractor under [CFOptions \"",
                     family_.name, "\"]."));
    return true;
  }

  void LookAtDamagedFilters() {
    Levels damaged;
    for (const TableSummary& table : family_.tables) {
      if (table.status.ok() && table.kind == kDamagedFilter) damaged.Add(table);
    }
    if (damaged.tables() == 0) return;
    Finding& finding = Add(
        "damaged-filter",
        absl::StrCat(TablesOf(damaged.tables(), family_.tables.size(),
                              "has a damaged filter", "have damaged filters"),
                     ": lookups either fail or read every block."),
        absl::StrCat("See which and how. ", kRewrite));
    finding.commands = {
        absl::StrCat("oneline verify ", ShellWord(patient_.database.path)),
        RewriteCommand()};
    finding.levels = damaged.list();
  }

  // Whether a table may do without a filter although the policy would write
  // one: on the last level, or because nothing in it is to be filtered.
  bool MayLackFilter(const TableSummary& table) const {
    if (!family_.table_options()->whole_key_filtering &&
        !table.policy_name.empty()) {
      return true;
    }
    // RocksDB tells a table's policy also where it skips the filter.
    const int last = family_.tables.back().file.level;
    return family_.options.optimize_filters_for_hits &&
           (!table.policy_name.empty() || table.file.level == last);
  }

  void LookAtTables() {
    FilterExpectations expectations(configured_, family_.name, family_.options,
                                    *family_.table_options());
    Levels missing, other_kind, other_size;
    std::set<std::string> other_kinds, wanted_kinds;
    for (const TableSummary& table : family_.tables) {
      if (!table.status.ok() || table.kind == kDamagedFilter) continue;
      const uint64_t keys =
          table.filter_keys > 0 ? table.filter_keys : table.keys;
      const int level = std::max(table.file.level, 0);
      switch (expectations.Judge(table)) {
        case Verdict::kAsExpected:
          break;
        case Verdict::kMissing:
          if (!MayLackFilter(table)) missing.Add(table);
          break;
        case Verdict::kUnwanted:
          other_size.Add(table);
          break;
        case Verdict::kOtherKind:
          other_kinds.insert(Described(table));
          wanted_kinds.insert(Named(expectations.At(level, keys).kind));
          other_kind.Add(table);
          break;
        case Verdict::kOtherSize:
          other_size.Add(table, expectations.At(level, keys).bytes);
          break;
      }
    }
    ReportMissing(missing);
    ReportOtherKind(other_kind, other_kinds, wanted_kinds);
    ReportOtherSize(other_size);
  }

  static std::string Named(const std::string& kind) {
    return kind == "ribbon" || kind == "bloom"
               ? absl::StrCat("oneline's ", kind)
               : kind;
  }

  static std::string Described(const TableSummary& table) {
    return table.kind == kForeignFilter
               ? absl::StrCat("that of the policy '", table.policy_name,
                              "', which can't be read here")
               : Named(table.kind);
  }

  void Report(const std::string& kind, const Levels& levels,
              const std::string& what) {
    Finding& finding = Add(kind, what, kRewrite);
    finding.commands = {RewriteCommand()};
    finding.levels = levels.list();
  }

  void ReportMissing(const Levels& missing) {
    if (missing.tables() == 0) return;
    std::string what = absl::StrCat(
        TablesOf(missing.tables(), family_.tables.size(), "has", "have"),
        " no filter, although the options want one (filter_policy=",
        configured_.text, "): every lookup that comes there reads a block.");
    if (configured_.is_ours()) {
      absl::StrAppend(&what,
                      " A program without this library wrote them, or one "
                      "from before the policy was set.");
    }
    Report("no-filter", missing, what);
  }

  void ReportOtherKind(const Levels& levels, const std::set<std::string>& kinds,
                       const std::set<std::string>& wanted) {
    if (levels.tables() == 0) return;
    std::string what = absl::StrCat(
        TablesOf(levels.tables(), family_.tables.size(), "has", "have"),
        " a filter of another kind than is written now (filter_policy=",
        configured_.text, "): ", absl::StrJoin(kinds, ", "), ", now ",
        absl::StrJoin(wanted, ", "), ".");
    const bool ours = kinds.count("oneline's ribbon") != 0 ||
                      kinds.count("oneline's bloom") != 0;
    if (ours && !configured_.is_ours()) {
      absl::StrAppend(&what,
                      " Programs without this library read every key of those "
                      "unfiltered. (If yours run with ONELINE_REPLACE_BUILTIN, "
                      "run this one with it, too.)");
    }
    Report("other-kind", levels, what);
  }

  void ReportOtherSize(const Levels& levels) {
    if (levels.tables() == 0) return;
    Report("other-bits", levels,
           absl::StrCat(
               TablesOf(levels.tables(), family_.tables.size(), "has", "have"),
               " other bits per key than are written now (filter_policy=",
               configured_.text, ")."));
  }

  void LookAtPinning() {
    using rocksdb::PinningTier;
    const rocksdb::BlockBasedTableOptions& table = *family_.table_options();
    const PinningTier tier =
        table.metadata_cache_options.top_level_index_pinning;
    const bool pinned = tier == PinningTier::kFallback
                            ? table.pin_top_level_index_and_filter
                            : tier != PinningTier::kNone;
    if (!table.partition_filters || !table.cache_index_and_filter_blocks ||
        pinned) {
      return;
    }
    Add("not-pinned",
        "Filters have partitions, and the index of these is not pinned in the "
        "block cache: a lookup may have to read it before the partition, and "
        "that before the block.",
        absl::StrCat("Under ", Section(),
                     " set pin_top_level_index_and_filter=true."));
  }

  const Patient& patient_;
  const ColumnFamilySummary& family_;
  const ConfiguredPolicy configured_;
  Diagnosis* const diagnosis_;
};

// Where the memory of filters is, for all column families together, as they may
// share a cache.
class MemoryDoctor {
 public:
  MemoryDoctor(const Patient& patient, Diagnosis* diagnosis)
      : patient_(patient), diagnosis_(diagnosis) {}

  void Look() {
    for (const ColumnFamilySummary& family :
         patient_.database.column_families) {
      Count(family);
    }
    for (const auto& [name, cache] : caches_) Judge(cache);
  }

 private:
  struct Share {
    std::optional<double> capacity;
    double inside = 0;   // filters and indexes
    double outside = 0;  // filters
    uint64_t tables_outside = 0;
    std::set<std::string> families;
  };

  // The cache of a column family, under a name that those who share it share.
  Share& CacheOf(const ColumnFamilySummary& family) {
    if (patient_.block_cache_bytes.has_value()) {
      Share& share = caches_[""];
      share.capacity = patient_.block_cache_bytes;
      return share;
    }
    const auto found = patient_.log.block_caches.find(family.name);
    if (found == patient_.log.block_caches.end()) {
      return caches_[absl::StrCat("of ", family.name)];
    }
    Share& share = caches_[found->second.address];
    share.capacity = static_cast<double>(found->second.capacity);
    return share;
  }

  void Count(const ColumnFamilySummary& family) {
    const rocksdb::BlockBasedTableOptions* const table = family.table_options();
    if (table == nullptr) return;
    double filters = 0, indexes = 0;
    for (const TableSummary& one : family.tables) {
      filters += static_cast<double>(one.filter_bytes);
      indexes += static_cast<double>(one.index_bytes);
    }
    const bool used =
        PolicyInOptions(
            patient_.options.Get(kTableSection, family.name, "filter_policy")
                .value_or("nullptr"))
            .wanted();
    if (!used || filters == 0) return;
    Share& share = CacheOf(family);
    share.families.insert(family.name);
    // Partitions are always read through the cache.
    if (table->cache_index_and_filter_blocks || table->partition_filters) {
      share.inside +=
          filters + (table->cache_index_and_filter_blocks ? indexes : 0);
    } else {
      share.outside += filters;
      share.tables_outside += family.tables.size();
    }
  }

  std::string Families(const Share& share) const {
    return absl::StrCat(
        "(column families: ", absl::StrJoin(share.families, ", "), ")");
  }

  void Add(const std::string& kind, const std::string& what,
           const std::string& remedy) {
    diagnosis_->findings.push_back({kind, "", what, remedy, {}, {}});
    diagnosis_->findings.back().commands = {
        absl::StrCat("oneline advise ", ShellWord(patient_.database.path))};
  }

  void Judge(const Share& share) {
    if (share.families.empty()) return;
    if (!share.capacity.has_value()) {
      diagnosis_->notes.push_back(absl::StrCat(
          "How large the block cache is can't be found in the LOG ",
          Families(share), "; say --block_cache to have it compared with the ",
          BytesText(share.inside + share.outside), " of filters."));
      return;
    }
    if (share.inside > *share.capacity) {
      Add("filters-exceed-cache",
          absl::StrCat("Filters and indexes take ", BytesText(share.inside),
                       " and the block cache has ", BytesText(*share.capacity),
                       " ", Families(share),
                       ": they drive each other and all data out of it, and "
                       "are read again and again."),
          "Give the block cache more, or the filters fewer bits; `oneline "
          "advise` says which.");
    }
    const double open = OpenShare(share);
    if (open * share.outside > *share.capacity) {
      Add("filters-outside-cache",
          absl::StrCat(BytesText(open * share.outside), " of filters ",
                       Families(share),
                       " are held outside the block cache, more than "
                       "the ",
                       BytesText(*share.capacity),
                       " that it has: no budget limits them "
                       "(cache_index_and_filter_blocks=false, max_open_files=",
                       patient_.db_options.max_open_files, ")."),
          "If memory matters, set cache_index_and_filter_blocks=true with a "
          "block cache that holds them, or a lower max_open_files, or fewer "
          "bits per key; `oneline advise` says which.");
    }
  }

  // The part of the tables that may be open at once. RocksDB keeps ten of
  // max_open_files for other files.
  double OpenShare(const Share& share) const {
    const int most = patient_.db_options.max_open_files;
    if (most < 0 || share.tables_outside == 0) return 1;
    return std::min(1.0, std::max(most - 10, 0) /
                             static_cast<double>(share.tables_outside));
  }

  const Patient& patient_;
  Diagnosis* const diagnosis_;
  std::map<std::string, Share> caches_;
};

}  // namespace

Diagnosis Diagnose(const Patient& patient) {
  Diagnosis diagnosis;
  for (const ColumnFamilySummary& family : patient.database.column_families) {
    FamilyDoctor(patient, family, &diagnosis).Look();
  }
  MemoryDoctor(patient, &diagnosis).Look();
  return diagnosis;
}

}  // namespace oneline
