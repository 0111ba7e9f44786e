// The command `oneline sieve`: copies the lines that were not seen before.

#include "tools/sieve/sieve.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "membership/urls/approximate_frontier.h"
#include "membership/urls/exact_frontier.h"
#include "tools/command/command.h"
#include "tools/command/flags.h"
#include "tools/command/stop_signals.h"

namespace oneline {
namespace {

// An error if a flag is given that is not one of `taken`, by `what`.
absl::Status CheckFlags(const std::string& what,
                        const std::vector<absl::string_view>& taken) {
  for (const absl::string_view name : kSieveCommand.flags) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    if (!IsGiven(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " is not for ", what));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Exact() {
  const absl::Status flags =
      CheckFlags("--db, which is exact", {"db", "memory", "normalize"});
  if (!flags.ok()) return flags;
  ExactFrontierOptions options;
  options.path = absl::GetFlag(FLAGS_db);
  options.keep_queue = false;
  options.normalize = absl::GetFlag(FLAGS_normalize);
  if (const std::optional<ByteSize> memory = absl::GetFlag(FLAGS_memory)) {
    options.memory_bytes = static_cast<size_t>(memory->bytes);
  }
  const sigset_t while_waiting = CatchStopSignals();
  const auto frontier = ExactFrontier::Open(options);
  if (!frontier.ok()) return frontier.status();
  return SieveLines(**frontier, /*capacity=*/0, while_waiting);
}

absl::StatusOr<int> Approximate(double capacity) {
  const absl::Status flags =
      CheckFlags("--capacity, whose memory follows from its rate",
                 {"capacity", "fp_rate", "save", "normalize"});
  if (!flags.ok()) return flags;
  ApproximateFrontierOptions options;
  options.capacity = static_cast<uint64_t>(capacity);
  options.fp_rate = absl::GetFlag(FLAGS_fp_rate).value_or(options.fp_rate);
  options.save_path = absl::GetFlag(FLAGS_save);
  options.keep_queue = false;
  options.normalize = absl::GetFlag(FLAGS_normalize);
  const sigset_t while_waiting = CatchStopSignals();
  const auto frontier = ApproximateFrontier::Open(options);
  if (!frontier.ok()) return frontier.status();
  return SieveLines(**frontier, options.capacity, while_waiting);
}

absl::StatusOr<int> Run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "info") {
    const absl::Status flags = CheckFlags("info", {});
    return flags.ok() ? SieveInfo(arguments[1]) : flags;
  }
  if (!arguments.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", arguments[0],
                     "' is not 'info PATH'; lines are read from standard "
                     "input"));
  }
  if (!absl::GetFlag(FLAGS_db).empty()) return Exact();
  const std::optional<KeyCount> capacity = absl::GetFlag(FLAGS_capacity);
  if (capacity.has_value()) return Approximate(capacity->keys);
  return absl::InvalidArgumentError(
      "--db=DIRECTORY (exact) or --capacity=N (approximate) must be given");
}

}  // namespace

const Command kSieveCommand = {
    "sieve",
    "(--db=DIRECTORY | --capacity=N) [FLAGS] | info PATH",
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

    oneline sieve --db=seen <urls
    oneline sieve --capacity=10M --fp_rate=0.0001 --normalize <urls
)",
    {"db", "capacity", "fp_rate", "save", "memory", "normalize"},
    0,
    2,
    &Run,
};

}  // namespace oneline
