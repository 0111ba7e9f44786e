// The command `oneline sieve`: copies the lines that were not seen before.

#include "tools/sieve/sieve.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "membership/filters/key_hashers.h"
#include "membership/urls/approximate_url_store.h"
#include "membership/urls/exact_url_store.h"
#include "tools/command/commands.h"
#include "tools/command/flags.h"

namespace oneline {
namespace {

constexpr double kDefaultFpRate = 0.0001;

double FpRateFlag() {
  return absl::GetFlag(FLAGS_fp_rate).value_or(kDefaultFpRate);
}

absl::StatusOr<int> Exact(const std::string& path) {
  if (absl::GetFlag(FLAGS_capacity).has_value() ||
      !absl::GetFlag(FLAGS_save).empty() ||
      absl::GetFlag(FLAGS_fp_rate).has_value()) {
    return absl::InvalidArgumentError(
        "--db is exact, and takes none of --capacity, --fp_rate and --save");
  }
  ExactUrlStoreOptions options;
  options.path = path;
  options.keep_queue = false;
  options.normalize = absl::GetFlag(FLAGS_normalize);
  if (const std::optional<ByteSize> memory = absl::GetFlag(FLAGS_memory)) {
    options.memory_bytes = static_cast<size_t>(memory->bytes);
  }
  const auto store = ExactUrlStore::Open(options);
  if (!store.ok()) return store.status();
  return SieveLines(**store, /*capacity=*/0);
}

absl::StatusOr<int> Approximate() {
  if (absl::GetFlag(FLAGS_memory).has_value()) {
    return absl::InvalidArgumentError(
        "--memory is for --db; without it the memory follows from --capacity "
        "and --fp_rate");
  }
  ApproximateUrlStoreOptions options;
  options.capacity = static_cast<uint64_t>(absl::GetFlag(FLAGS_capacity)->keys);
  options.fp_rate = FpRateFlag();
  options.save_path = absl::GetFlag(FLAGS_save);
  options.keep_queue = false;
  options.normalize = absl::GetFlag(FLAGS_normalize);
  const auto store = ApproximateUrlStore::Open(options);
  if (!store.ok()) return store.status();
  return SieveLines(**store, options.capacity);
}

absl::StatusOr<int> SelfTest() {
  const std::optional<KeyCount> keys = absl::GetFlag(FLAGS_keys);
  if (!keys.has_value()) {
    return absl::InvalidArgumentError("selftest needs --keys=NUMBER");
  }
  double fp_rate = FpRateFlag();
  if (const std::optional<int> hashes = absl::GetFlag(FLAGS_hashes)) {
    if (absl::GetFlag(FLAGS_fp_rate).has_value()) {
      return absl::InvalidArgumentError(
          "only one of --fp_rate and --hashes can be given");
    }
    if (*hashes < 1 || *hashes > kMaxHashes) {
      return absl::InvalidArgumentError(
          absl::StrCat("--hashes is 1 to ", kMaxHashes, ", not ", *hashes));
    }
    // The filter with half of its bits set, for which that many hashes are the
    // best number.
    fp_rate = std::ldexp(1.0, -*hashes);
  }
  return SieveSelfTest(static_cast<uint64_t>(keys->keys), fp_rate);
}

absl::StatusOr<int> Run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "info") {
    return SieveInfo(arguments[1]);
  }
  if (arguments.size() == 1 && arguments[0] == "selftest") {
    return SelfTest();
  }
  if (!arguments.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", arguments[0],
                     "' is neither 'info PATH' nor 'selftest'; lines are read "
                     "from standard input"));
  }
  const std::string path = absl::GetFlag(FLAGS_db);
  if (!path.empty()) return Exact(path);
  if (absl::GetFlag(FLAGS_capacity).has_value()) return Approximate();
  return absl::InvalidArgumentError(
      "--db=FOLDER (exact) or --capacity=LINES (approximate) must be given");
}

}  // namespace

const Command kSieveCommand = {
    "sieve",
    "[--normalize] (--db FOLDER [--memory BYTES] | "
    "--capacity LINES [--fp_rate R] [--save FILE]) | "
    "info PATH | selftest --keys N [--fp_rate R | --hashes K]",
    "the lines of the input that were not seen before",
    R"(Copies the lines of standard input that it has not seen before to standard
output, in order. Lines may contain any bytes and have any length.

--db is exact: it remembers lines between runs in a database in FOLDER, of which
at most --memory bytes are kept in memory. --capacity is approximate: it keeps a
Bloom filter in memory and loses a share of the new lines, --fp_rate (0.0001 if
not given) once --capacity distinct lines were seen. --save reads the filter
from FILE, if it exists, and writes it back at the end.

With --normalize two URLs are the same line if they differ only in the case of
scheme and host, the scheme's default port, an empty path, or the fragment; the
first is written unchanged. Either all runs with one FOLDER or FILE use
--normalize, or none.

A line is written before it is remembered. If the program is killed or cannot
write, no line is lost, but the next run may write the last ones again. Ctrl-C
has the effect of the end of the input. After an error the filter is not saved.

"info" describes FOLDER or FILE. "selftest" fills a filter with --keys keys and
measures it; the filter is made for --fp_rate, or for --hashes K, which set half
of its bits. Its exit code is 1 if the measured false-positive rate is not the
predicted one.

Examples:

    oneline sieve --db=seen <urls
    oneline sieve --capacity=10M --fp_rate=0.0001 --normalize <urls
    oneline sieve selftest --keys=1M --fp_rate=0.0001
)",
    {"db", "capacity", "fp_rate", "save", "memory", "normalize", "keys",
     "hashes"},
    0,
    2,
    &Run,
};

}  // namespace oneline
