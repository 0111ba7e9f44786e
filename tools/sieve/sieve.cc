// oneline sieve: the lines of the input that were not seen before.

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
        "--memory is for --db; --capacity and --fp_rate say it otherwise");
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
          "of --fp_rate and --hashes only one can be given");
    }
    if (*hashes < 1 || *hashes > kMaxHashes) {
      return absl::InvalidArgumentError(
          absl::StrCat("--hashes is 1 to ", kMaxHashes, ", not ", *hashes));
    }
    // With half of the bits set, and then no other number does better.
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
                     "': the input is standard input; else there are "
                     "'info PATH' and 'selftest'"));
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
    "the lines that were not seen before, as a crawler wants them",
    "Copies the lines of standard input that it has not seen before to "
    "standard\n"
    "output, in order. Lines are any bytes of any length.\n"
    "\n"
    "With --db it is exact and remembers between runs, in a database in "
    "FOLDER,\n"
    "within --memory. With --capacity it keeps a Bloom filter in memory, which "
    "loses\n"
    "a share of the new lines, --fp_rate (0.0001 if not given) once that many "
    "have\n"
    "come; --save is the file that the filter comes from and goes to.\n"
    "\n"
    "With --normalize URLs are one if they differ only in the case of scheme "
    "and host,\n"
    "in a port that is the scheme's own, in an empty path or in a fragment; "
    "the first\n"
    "is written as it came. All runs with one FOLDER or FILE do so, or none.\n"
    "\n"
    "A line is written before it is remembered: none is lost if the program "
    "is\n"
    "killed or its output fails, but the last ones may be written again by "
    "the\n"
    "next run. Ctrl-C ends it as the end of the input does. With --save the "
    "filter\n"
    "is saved at the end, and not if there was an error.\n"
    "\n"
    "info tells what FOLDER or FILE holds. selftest fills a filter for --keys "
    "keys\n"
    "and measures it; exit code 1 if the error rate is not the predicted one. "
    "The\n"
    "filter is for --fp_rate, or for --hashes K of a key, which set half of "
    "its bits.\n"
    "\n"
    "Examples:\n"
    "\n"
    "    oneline sieve --db=seen <urls\n"
    "    oneline sieve --capacity=10M --fp_rate=0.0001 --normalize <urls\n"
    "    oneline sieve selftest --keys=1M --fp_rate=0.0001\n",
    {"db", "capacity", "fp_rate", "save", "memory", "normalize", "keys",
     "hashes"},
    0,
    2,
    &Run,
};

}  // namespace oneline
