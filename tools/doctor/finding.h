// What `oneline doctor` finds: all kinds of findings, with their severities and
// texts. docs/tools.md says what each kind means.

#ifndef ONELINE_TOOLS_DOCTOR_FINDING_H_
#define ONELINE_TOOLS_DOCTOR_FINDING_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/substitute.h"

namespace oneline {

enum class Severity {
  kFault,    // lookups fail, or are slower than they should be
  kWarning,  // the filters in use work, and nothing is urgent
  kNote,     // what could not be checked; what is as asked and worth knowing
};

struct FindingKind {
  const char* name;  // for programs
  Severity severity;
  const char* what;    // what is wrong, and what that means for reads
  const char* remedy;  // what to do; a note has none
};

// The tables of one level that a finding is about.
struct AffectedLevel {
  int level = 0;
  uint64_t tables = 0;
  uint64_t keys = 0;
  uint64_t filter_bytes = 0;
  // What filters written now would take, at least and at most: with
  // bits_by_level that depends on the tree. 0 if the finding is not about
  // sizes.
  double expected_bytes = 0, most_expected_bytes = 0;
};

struct Finding {
  const FindingKind* kind;
  std::string column_family;  // empty: the finding is about the whole database
  std::string what, remedy;
  std::vector<std::string> commands = {};  // of the remedy, for a shell
  std::vector<AffectedLevel> levels = {};  // from level 0 on

  bool is_note() const { return kind->severity == Severity::kNote; }
  bool is_fault() const { return kind->severity == Severity::kFault; }
  // Of one that is no note.
  const char* severity() const { return is_fault() ? "fault" : "warning"; }
};

using Findings = std::vector<Finding>;

// In the text format that Prometheus reads (report.cc): of databases by their
// paths; nothing for one that could not be examined.
std::string MetricsText(
    const std::map<std::string, std::optional<Findings>>& databases);

inline void Append(const Findings& found, Findings* all) {
  all->insert(all->end(), found.begin(), found.end());
}

// $0, $1 and so on in the kind's texts become the arguments.
template <typename... Args>
Finding Found(const FindingKind& kind, const std::string& column_family,
              const Args&... args) {
  return {&kind, column_family, absl::Substitute(kind.what, args...),
          absl::Substitute(kind.remedy, args...)};
}

inline constexpr FindingKind kDamagedFilter = {
    "damaged-filter", Severity::kFault,
    "$0. Lookups there fail, or are not filtered.",
    "`oneline verify` says which, and how. If the rest of a table is intact, "
    "CompactRange with BottommostLevelCompaction::kForce writes it again with "
    "a new filter (`oneline refilter` leaves it). Otherwise restore a backup."};

inline constexpr FindingKind kExceedsShard = {
    "exceeds-shard", Severity::kFault,
    "In $0 the filter or the index has up to $1 ($2), but a shard of the block "
    "cache $3 keeps no more than $4: the cache has $5 in $6 shards. Each "
    "lookup there reads the block anew.",
    "Give the block cache fewer shards (num_shard_bits), or make it larger; or "
    "set partition_filters=true with index_type=kTwoLevelIndexSearch, and "
    "rewrite the tables."};

inline constexpr FindingKind kFalsePositives = {
    "false-positives", Severity::kFault,
    "$0 Either the program ignores filters of this database, or of another "
    "that shares its statistics.",
    "Check that the program runs with this library (`oneline doctor "
    "--expect=oneline`). If it does, run `oneline verify`."};

inline constexpr FindingKind kFiltersExceedCache = {
    "filters-exceed-cache", Severity::kFault,
    "Filters and indexes take $0, more than the $1 of the block cache $2. They "
    "evict each other and all data blocks.",
    "Make the block cache larger, or give the filters fewer bits per key "
    "(`oneline size --memory=SIZE`)."};

inline constexpr FindingKind kNotAsExpected = {"not-as-expected",
                                               Severity::kFault, "$0", "$1"};

inline constexpr FindingKind kNothingToFilter = {
    "nothing-to-filter", Severity::kFault,
    "whole_key_filtering=false and prefix_extractor=nullptr: filters get "
    "neither keys nor prefixes, so no lookup can use them.",
    "Set whole_key_filtering=true under $0, or a prefix_extractor under "
    "[CFOptions \"$1\"]."};

inline constexpr FindingKind kOtherTableFormat = {
    "other-table-format", Severity::kFault,
    "$0, but $1. Only block-based tables have filters.",
    "Set table_factory=BlockBasedTable, or remove the filter policy."};

inline constexpr FindingKind kPolicyGone = {
    "policy-gone", Severity::kFault,
    "$0$1. Lookups are not filtered; $2, which nothing uses. A program that "
    "opens the database without its options, or without the library of its "
    "policy, leaves it like this, and so does SetOptions with a new "
    "table_factory.",
    "If you want filters, open the database with filter_policy=$3 under $4, "
    "then run `oneline doctor` again to find the tables without any. If not, "
    "say so with --expect=none, or --expect=$5:none."};

inline constexpr FindingKind kUnknownPolicy = {
    "unknown-policy", Severity::kFault,
    "$0: $1. RocksDB loads such a file without an error, and writes tables "
    "without filters.",
    "Run every program that writes the database with the library that has the "
    "policy, or set another under $2, such as filter_policy=oneline:10"};

inline constexpr FindingKind kUnreadableTable = {
    "unreadable-table", Severity::kFault,
    "$0, so lookups there fail. The first: $1.",
    "Restore the files from a backup. If the tables are in other directories, "
    "name these with --db_paths."};

inline constexpr FindingKind kWrongOptions = {
    "wrong-options", Severity::kFault,
    "$0: $1. The database can't be opened with it, and a program without the "
    "library writes tables without filters.",
    "Correct the line under $2."};

inline constexpr FindingKind kFewerHits = {
    "fewer-hits", Severity::kWarning,
    "$0, $1 of the lookups that came to the last level found their key there, "
    "where the policy has hits=$3: its filters waste $4 times the reads that "
    "they should.",
    "Set hits=$2 in the options of the policy."};

inline constexpr FindingKind kMostlyHits = {
    "mostly-hits", Severity::kWarning,
    "$0, $1 of the lookups that came to the last level found their key there. "
    "Its filters, which are most of all, hardly save a read.",
    "Set hits=$2 in the options of the policy: that level gets fewer bits. "
    "(With RocksDB's filters, optimize_filters_for_hits=true leaves them "
    "out.)"};

inline constexpr FindingKind kNeverAsked = {
    "never-asked", Severity::kWarning,
    "$0, no filter was queried, although tables have $1 of them. Seeks query "
    "only filters of prefixes.",
    "If the program looks up keys at other times, there is nothing to do. If "
    "it only iterates, set a prefix_extractor, or remove the filter policy."};

inline constexpr FindingKind kNoPolicy = {
    "no-policy", Severity::kWarning,
    "No column family asks for a filter. A program that was started without "
    "this library, without its options, or with a policy whose name is "
    "misspelt, leaves a database like this.",
    "If you want filters, open the database with a policy, such as "
    "filter_policy=oneline:10; --expect=oneline makes their lack a fault. If "
    "not, say so with --expect=none."};

inline constexpr FindingKind kNotExamined = {
    "not-examined", Severity::kWarning, "$0",
    "Run this program as a user who may read the files, with enough "
    "descriptors and memory; fewer --jobs need less of both."};

// Of options-lost and refused-options.
inline constexpr char kSetThemAgain[] =
    "If you want others, set them again: db->SetOptions(cf, "
    "{{\"table_factory.filter_policy.<option>\", \"<value>\"}}). Otherwise "
    "there is nothing to do: the finding goes away with the OPTIONS file, or "
    "the LOG.";

inline constexpr FindingKind kOptionsLost = {
    "options-lost", Severity::kWarning,
    "$0, with all options at their defaults; $1. A policy that is set by its "
    "name alone leaves it like this, for example by SetOptions with a new "
    "table_factory.",
    kSetThemAgain};

inline constexpr FindingKind kRefusedOptions = {
    "refused-options", Severity::kWarning,
    "The LOG says that an option was refused: $0. $1. SetOptions and "
    "CreateColumnFamily may have returned OK.",
    kSetThemAgain};

inline constexpr FindingKind kNote = {"note", Severity::kNote, "$0", ""};

// Of tables whose filters are not those that the options ask for. $0: how many
// have; $1: the policy; $2: which kinds they have; $3: which they should; $4:
// the section of the policy; $5: a remark.
inline constexpr char kRewrite[] =
    "Compaction writes the tables again, with the filters that the options ask "
    "for. Wait for it; or call oneline::Refilter in the program that has the "
    "database open; or, while no program has it open, run `oneline refilter`.";

inline constexpr FindingKind kIgnoredFilter = {
    "ignored-filter", Severity::kFault,
    "$0 a filter that the policy of the options (filter_policy=$1) can't read: "
    "$2. Lookups there are correct, but not filtered.$5",
    "If you want these filters, for example right after `oneline refilter "
    "--filter_policy=...`, open the database with their policy, such as "
    "filter_policy=oneline:10 under $4. If you want those of the options, wait "
    "for compactions, or run `oneline refilter`."};

inline constexpr FindingKind kNoFilter = {
    "no-filter", Severity::kFault,
    "$0 no filter, although the options ask for one, filter_policy=$1. Every "
    "lookup there reads a data block.$5",
    kRewrite};

inline constexpr FindingKind kOtherBits = {
    "other-bits", Severity::kWarning,
    "$0 other bits per key than the options ask for, filter_policy=$1. Lookups "
    "use these filters, at other false-positive rates.$5",
    kRewrite};

inline constexpr FindingKind kOtherKind = {
    "other-kind", Severity::kWarning,
    "$0 another kind of filter ($2) than the options ask for ($3), "
    "filter_policy=$1. Lookups use these filters, at other false-positive "
    "rates.$5",
    kRewrite};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_FINDING_H_
