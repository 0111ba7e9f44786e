// `oneline advise`: from the tables of a database, how many bits per key the
// filters of each level should have, and how many reads that saves.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/advise/advice_report.h"
#include "tools/advise/column_family_model.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/database/chosen_families.h"
#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"
#include "tools/database/log_statistics.h"
#include "tools/database/options_file.h"
#include "tools/sst/sst_reader.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// What the user asks for: memory, reads, or neither, which means today's
// memory.
struct Target {
  std::optional<double> memory;  // bytes, of all column families
  std::optional<double> reads;   // wasted per lookup, in each column family
  std::optional<double> hits;    // by the LOG if not given
};

absl::StatusOr<Target> TargetByFlags() {
  Target target;
  if (const auto memory = absl::GetFlag(FLAGS_memory)) {
    target.memory = memory->bytes;
  }
  target.reads = absl::GetFlag(FLAGS_wasted_reads);
  target.hits = absl::GetFlag(FLAGS_hits);
  if (target.memory.has_value() && target.reads.has_value()) {
    return absl::InvalidArgumentError(
        "--memory and --wasted_reads are both given; give only one of them");
  }
  return target;
}

// Of the column families that --column_family asks for.
struct DatabaseModels {
  std::vector<ColumnFamilyModel> models;  // of those that have keys; not empty
  std::vector<absl::Status> unread;       // of the tables that are left out
};

// Errors: that of the OPTIONS file; NotFound if there is no such column family;
// if no table with keys could be read, why, or InvalidArgument if there is
// none.
absl::StatusOr<DatabaseModels> LoadModels(const DatabaseSummary& database,
                                          double hits) {
  if (!database.options_status.ok()) return database.options_status;
  std::optional<OptionsFile> options;
  if (!database.options_file.empty()) {
    if (!database.options_text.ok()) return database.options_text.status();
    options = *database.options_text;
  }
  const auto chosen = ChosenFamilies(database.column_families,
                                     absl::GetFlag(FLAGS_column_family));
  if (!chosen.ok()) return WithPath(database.path, chosen.status());
  DatabaseModels loaded;
  for (const ColumnFamilySummary& family : database.column_families) {
    if (chosen->count(family.name) == 0) continue;
    ConfiguredPolicy policy;
    if (options.has_value()) {
      policy = PolicyInOptions(options->FilterPolicy(family.name));
    } else {
      // Filters are then taken to be wanted.
      policy.problem = absl::NotFoundError("there is no OPTIONS file");
    }
    for (const TableSummary& table : family.tables) {
      if (!table.status.ok()) loaded.unread.push_back(table.status);
    }
    ColumnFamilyModel model = ColumnFamilyModel::Create(family, policy, hits);
    if (model.keys() > 0) loaded.models.push_back(std::move(model));
  }
  if (!loaded.models.empty()) return loaded;
  if (!loaded.unread.empty()) return loaded.unread.front();
  return absl::InvalidArgumentError(
      absl::StrCat(database.path, ": has no tables with keys"));
}

using Models = std::vector<ColumnFamilyModel>;

// `advise`: a ColumnFamilyAdvice by a model.
template <typename Advise>
std::vector<ColumnFamilyAdvice> ForEach(const Models& models,
                                        const Advise& advise) {
  std::vector<ColumnFamilyAdvice> families;
  for (const ColumnFamilyModel& model : models) {
    families.push_back(advise(model));
  }
  return families;
}

// Divides memory between column families by their keys, as their lookups are
// not known.
std::vector<ColumnFamilyAdvice> WithMemory(const Models& models, double bytes) {
  double keys = 0;
  for (const ColumnFamilyModel& model : models) {
    keys += static_cast<double>(model.keys());
  }
  return ForEach(models, [&](const ColumnFamilyModel& model) {
    return model.WithMemory(bytes * static_cast<double>(model.keys()) / keys);
  });
}

absl::StatusOr<std::vector<ColumnFamilyAdvice>> Propose(
    const Models& models, const Target& target, const std::string& path) {
  if (target.reads.has_value()) {
    return ForEach(models, [&](const ColumnFamilyModel& model) {
      return model.WithFalsePositives(*target.reads);
    });
  }
  if (target.memory.has_value()) return WithMemory(models, *target.memory);
  const double todays_memory =
      TotalsOf(ForEach(models, std::mem_fn(&ColumnFamilyModel::today)))
          .current.bytes;
  if (todays_memory > 0) return WithMemory(models, todays_memory);
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": has no filters in use today; give --memory or "
                   "--wasted_reads to say how large they may be"));
}

// What lookups met lately, if the LOG says it.
std::optional<LookupStatistics> Statistics(const DatabaseSummary& database) {
  std::optional<LookupStatistics> sample;
  if (database.has_logs) {
    sample = ReadLookupStatistics(database.path, /*max_logs=*/4);
  }
  if (sample.has_value() && sample->lookups() == 0) sample.reset();
  return sample;
}

// Of the lookups that came to the last level, those that found their key.
std::optional<double> HitsInLog(const DatabaseSummary& database,
                                const std::optional<LookupStatistics>& sample) {
  if (!sample.has_value()) return std::nullopt;
  int last_level = 0;
  for (const ColumnFamilySummary& family : database.column_families) {
    for (const TableSummary& table : family.tables) {
      last_level = std::max(last_level, table.file.level);
    }
  }
  return sample->hits(last_level);
}

void AddStatistics(const LookupStatistics& sample, std::optional<double> hits,
                   Advice* advice) {
  const uint64_t wasted =
      sample.positive - std::min(sample.positive, sample.true_positive);
  std::string text = absl::StrCat(
      sample.Origin(), ", a lookup wasted ",
      absl::StrFormat("%.3g", static_cast<double>(wasted) /
                                  static_cast<double>(sample.lookups())),
      " reads");
  if (hits.has_value()) {
    absl::StrAppend(
        &text, ", and ", PercentText(*hits),
        " of those that came to the last level found their key there",
        advice->hits == *hits ? ", which the proposal reckons with" : "");
  }
  advice->remarks.push_back(absl::StrCat(text, "."));
}

// What lookups cost that the proposal does not reckon with.
void AddHits(Advice* advice) {
  if (advice->hits == 0) return;
  advice->remarks.push_back(absl::StrFormat(
      "If fewer lookups find their key in the last level, more reads are "
      "wasted there: twice as many at %s. For databases that grow, "
      "hits=%s in the options of the policy does the same with bits_per_key.",
      PercentText(std::max(0.0, 2 * advice->hits - 1)),
      absl::StrFormat("%.4g", advice->hits)));
}

// `unread`: of the tables that could not be read.
void AddRemarks(const Target& target, const std::vector<absl::Status>& unread,
                Advice* advice) {
  if (!unread.empty()) {
    advice->remarks.push_back(absl::StrCat(
        "Not counted: ", Tables(unread.size()),
        " that could not be read. The first: ", unread.front().message(), "."));
  }
  const Totals totals = TotalsOf(advice->families);
  if (totals.proposed.bytes < 0.995 * totals.current.bytes &&
      totals.proposed.false_positives <= totals.current.false_positives) {
    advice->remarks.push_back(absl::StrCat(
        "Fewer bits are enough: the proposal saves ",
        PercentText(1 - totals.proposed.bytes / totals.current.bytes),
        " of the memory and wastes no more reads."));
  }
  for (const ColumnFamilyAdvice& family : advice->families) {
    if (target.reads.has_value() &&
        family.proposed().false_positives > 1.001 * *target.reads) {
      advice->remarks.push_back(absl::StrFormat(
          "Column family \"%s\" can't have as few as %g wasted reads per "
          "lookup; with the largest filters it has %.3g.",
          family.name, *target.reads, family.proposed().false_positives));
    }
  }
  if (target.memory.has_value() && totals.proposed.bytes == 0) {
    advice->remarks.push_back(absl::StrCat(
        BytesText(*target.memory),
        " is too little for any filter: each takes at least 1 bit per key."));
  }
}

absl::StatusOr<int> RunAdvise(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Target> target = TargetByFlags();
  if (!target.ok()) return target.status();
  const absl::StatusOr<DatabaseSummary> database = SummarizeDatabase(
      arguments[0], absl::GetFlag(FLAGS_db_paths), absl::GetFlag(FLAGS_jobs));
  if (!database.ok()) return database.status();
  Advice advice;
  advice.path = database->path;
  advice.options_file = database->options_file;
  const std::optional<LookupStatistics> statistics = Statistics(*database);
  const std::optional<double> met = HitsInLog(*database, statistics);
  advice.hits = target->hits.value_or(met.value_or(0));
  absl::StatusOr<DatabaseModels> loaded = LoadModels(*database, advice.hits);
  if (!loaded.ok()) return loaded.status();
  advice.models = std::move(loaded->models);
  const std::vector<absl::Status>& unread = loaded->unread;
  absl::StatusOr<std::vector<ColumnFamilyAdvice>> families =
      Propose(advice.models, *target, advice.path);
  if (!families.ok()) return families.status();
  advice.families = *std::move(families);
  const double todays_memory = TotalsOf(advice.families).current.bytes;
  if (todays_memory > 0) {
    advice.same_memory = WithMemory(advice.models, todays_memory);
    advice.same_reads =
        ForEach(advice.models, [](const ColumnFamilyModel& model) {
          return model.WithFalsePositives(
              model.today().current().false_positives);
        });
  }
  AddRemarks(*target, unread, &advice);
  if (statistics.has_value()) AddStatistics(*statistics, met, &advice);
  AddHits(&advice);
  const std::string plot = absl::GetFlag(FLAGS_svg);
  if (!plot.empty()) {
    const absl::Status status = PlotAdvice(advice, plot);
    if (!status.ok()) return status;
  }
  if (absl::GetFlag(FLAGS_json)) {
    PrintAdviceJson(advice);
  } else {
    PrintAdviceText(advice);
  }
  return ExitCodeOf(unread);
}

}  // namespace

const Command kAdviseCommand = {
    "advise",
    "PATH [--memory=SIZE | --wasted_reads=READS] [FLAGS]",
    "how many bits per key each level should have",
    R"(Reads the tables of the database at PATH, and says how many bits per key
the filters of each level should have to waste the fewest reads. The target is
one of these:

    --memory=SIZE         the memory of all filters
    --wasted_reads=READS  the reads that a lookup of an absent key wastes,
                          summed over all sorted runs that it visits
    neither               the memory that the filters take today

No filter of the last level saves a read to lookups that find their key there.
Their fraction is read from the statistics in the LOG, if the program keeps
some, or given as --hits=FRACTION. The more there are, the fewer bits the last
level gets; wasted reads are those of the lookups that come to it.

Prints bits per key, memory and wasted reads of each level, today and as
proposed, and how to apply the proposal. Today's wasted reads follow from the
bits of the filters themselves, the proposal's from the models of their kinds.

It only reads. Tables that can't be read are left out, which the output says.

Exit codes: 0 done, 1 done without tables that are damaged or missing, 2 failed,
or done without tables that the system did not let it read.

Example:

    oneline advise db --memory=512MiB --svg=advice.svg
    oneline advise db --hits=0.9
)",
    {"memory", "wasted_reads", "hits", "column_family", "svg", "db_paths",
     "jobs", "json"},
    1,
    1,
    RunAdvise};

}  // namespace oneline
