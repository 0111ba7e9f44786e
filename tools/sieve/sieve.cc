// The command `oneline sieve`: copies the lines that were not seen before.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "membership/urls/url_frontier.h"
#include "tools/command/command.h"
#include "tools/sieve/line_io.h"
#include "tools/sieve/sieve_lines.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

struct SieveFlags {
  ExactFrontierOptions exact;
  ApproximateFrontierOptions approximate;
  std::optional<uint64_t> capacity;
  std::optional<double> memory;
  bool normalize = false;

  bool is_exact() const { return !exact.path.empty(); }
};

absl::Status CheckFlags(const SieveFlags& flags, const Flags& all) {
  if (flags.is_exact() == flags.capacity.has_value()) {
    return absl::InvalidArgumentError(
        "either --db=DIRECTORY (exact) or --capacity=N (approximate) must be "
        "given");
  }
  for (const std::string& name : all.Given()) {
    if (flags.is_exact() ? name == "--fp_rate" || name == "--save"
                         : name == "--memory") {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " is not for ", flags.is_exact() ? "--db" : "--capacity"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Run(SieveFlags flags, const Flags& all) {
  const absl::Status wrong = CheckFlags(flags, all);
  if (!wrong.ok()) return wrong;
  flags.exact.keep_queue = flags.approximate.keep_queue = false;
  flags.exact.normalize = flags.approximate.normalize = flags.normalize;
  flags.approximate.capacity = flags.capacity.value_or(0);
  if (flags.memory.has_value()) {
    flags.exact.memory_bytes = static_cast<size_t>(*flags.memory);
  }
  const sigset_t while_waiting = CatchStopSignals();
  const auto frontier = flags.is_exact()
                            ? OpenExactFrontier(flags.exact)
                            : OpenApproximateFrontier(flags.approximate);
  if (!frontier.ok()) return frontier.status();
  return SieveLines(**frontier, flags.approximate.capacity, while_waiting);
}

std::function<absl::StatusOr<int>()> Define(Flags* flags) {
  const auto given = std::make_shared<SieveFlags>();
  flags->Text("--db=DIRECTORY",
              "directory of the database that remembers seen lines, exactly",
              &given->exact.path);
  flags->Number("--capacity=N",
                "expected number of different lines, such as 5000000 or 10M",
                {1, kMaxKeyCount}, &given->capacity);
  flags->Number("--fp_rate=RATE",
                "the fraction of new lines that are taken for old ones",
                {1e-9, 0.5}, &given->approximate.fp_rate);
  flags->Text("--save=FILE", "file that keeps the Bloom filter of seen lines",
              &given->approximate.save_path);
  flags->Size("--memory=SIZE",
              "memory of the database, at least 8MiB; 256MiB if not given",
              {8 << 20, kMaxBytes}, &given->memory);
  flags->Switch("--normalize",
                "treat URLs with the same normal form as the same line",
                &given->normalize);
  return [given, flags] { return Run(*given, *flags); };
}

}  // namespace

const Command kSieveCommand = {
    "sieve",
    "(--db=DIRECTORY | --capacity=N) [FLAGS]",
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

Exit codes: 0 done, 2 failed, 130 after Ctrl-C, 143 after SIGTERM.

Examples:

    $ oneline sieve --db=seen <urls
    $ oneline sieve --capacity=10M --fp_rate=0.0001 --normalize <urls
)",
    &Define,
};

}  // namespace oneline
