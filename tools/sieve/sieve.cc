// The command `oneline sieve`: copies the lines that were not seen before.

#include "tools/sieve/sieve.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "membership/urls/approximate_frontier.h"
#include "membership/urls/exact_frontier.h"
#include "tools/command/command.h"
#include "tools/sieve/stop_signals.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

struct SieveFlags {
  std::vector<std::string> words;
  std::string db, save;
  std::optional<uint64_t> capacity;
  std::optional<double> fp_rate, memory;
  bool normalize = false;
  std::vector<std::string> given;  // the names of all that are given
};

// An error if a flag is given that is not one of `taken`, by `what`.
absl::Status CheckFlags(const SieveFlags& flags, const std::string& what,
                        const std::vector<absl::string_view>& taken) {
  for (const std::string& name : flags.given) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, " is not for ", what));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Exact(const SieveFlags& flags) {
  const absl::Status wrong = CheckFlags(flags, "--db, which is exact",
                                        {"--db", "--memory", "--normalize"});
  if (!wrong.ok()) return wrong;
  ExactFrontierOptions options;
  options.path = flags.db;
  options.keep_queue = false;
  options.normalize = flags.normalize;
  if (flags.memory.has_value()) {
    options.memory_bytes = static_cast<size_t>(*flags.memory);
  }
  const sigset_t while_waiting = CatchStopSignals();
  const auto frontier = ExactFrontier::Open(options);
  if (!frontier.ok()) return frontier.status();
  return SieveLines(**frontier, /*capacity=*/0, while_waiting);
}

absl::StatusOr<int> Approximate(const SieveFlags& flags) {
  const absl::Status wrong =
      CheckFlags(flags, "--capacity, whose memory follows from its rate",
                 {"--capacity", "--fp_rate", "--save", "--normalize"});
  if (!wrong.ok()) return wrong;
  ApproximateFrontierOptions options;
  options.capacity = *flags.capacity;
  options.fp_rate = flags.fp_rate.value_or(options.fp_rate);
  options.save_path = flags.save;
  options.keep_queue = false;
  options.normalize = flags.normalize;
  const sigset_t while_waiting = CatchStopSignals();
  const auto frontier = ApproximateFrontier::Open(options);
  if (!frontier.ok()) return frontier.status();
  return SieveLines(**frontier, options.capacity, while_waiting);
}

absl::StatusOr<int> Run(const SieveFlags& flags) {
  if (flags.words.size() == 2 && flags.words[0] == "info") {
    const absl::Status wrong = CheckFlags(flags, "info", {});
    return wrong.ok() ? SieveInfo(flags.words[1]) : wrong;
  }
  if (!flags.words.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", flags.words[0],
        "' is not 'info PATH'; lines are read from standard input"));
  }
  if (!flags.db.empty()) return Exact(flags);
  if (flags.capacity.has_value()) return Approximate(flags);
  return absl::InvalidArgumentError(
      "--db=DIRECTORY (exact) or --capacity=N (approximate) must be given");
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<SieveFlags>();
  flags->Arguments("WORDS", 0, &given->words);
  flags->Text("--db=DIRECTORY",
              "directory of the database that remembers seen lines, exactly",
              &given->db);
  flags->Number("--capacity=N",
                "expected number of different lines, such as 5000000 or 10M",
                {1, kMaxKeyCount}, &given->capacity);
  flags->Number("--fp_rate=RATE",
                "the fraction of new lines that are taken for old ones",
                {1e-9, 0.5}, &given->fp_rate);
  flags->Text("--save=FILE", "file that keeps the Bloom filter of seen lines",
              &given->save);
  flags->Size("--memory=SIZE",
              "memory of the database, at least 8MiB; 256MiB if not given",
              {8 << 20, kMaxBytes}, &given->memory);
  flags->Switch("--normalize",
                "treat URLs with the same normal form as the same line",
                &given->normalize);
  return [given, flags] {
    given->given = flags->Given();
    return Run(*given);
  };
}

}  // namespace

const Command kSieveCommand = {
    "sieve",
    R"((--db=DIRECTORY | --capacity=N) [FLAGS]
  or:  oneline sieve info PATH)",
    "the lines of the input that were not seen before",
    R"(Copies the lines of standard input that it has not seen before to standard
output, in order. Lines may contain any bytes and have any length.

--db is exact: it remembers lines between runs in a database in DIRECTORY, and
keeps at most --memory bytes of it in memory. --capacity is approximate: it has
a Bloom filter in memory and mistakes some new lines for old ones: a fraction
below --fp_rate (0.0001 if not given), as long as no more than --capacity
distinct lines were read. --save reads the filter from FILE, if it exists, and
writes it back at the end.

With --normalize two URLs are the same line if they differ only in the case of
scheme and host, the scheme's default port, an empty path, or the fragment; the
first is written unchanged. Either all runs with one DIRECTORY or FILE
use --normalize, or none.

A line is written before it is remembered. If the program is killed or cannot
write, no line is lost, but the next run may write the last ones again. What a
pipe has taken counts as written, even if its reader ends without reading it.
Ctrl-C and SIGTERM have the effect of the end of the input. After an error the
filter is not saved.

"info" describes DIRECTORY or FILE.

Exit codes: 0 done, 2 failed, 130 after Ctrl-C, 143 after SIGTERM.

Examples:

    $ oneline sieve --db=seen <urls
    $ oneline sieve --capacity=10M --fp_rate=0.0001 --normalize <urls
)",
    &Define,
};

}  // namespace oneline
