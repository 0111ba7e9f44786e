// Defines the flags. A help text begins with the name of the flag's value, but
// for switches, which are all off unless given. The rest also completes errors:
// "must be a number: <help>".

#include "tools/command/flags.h"

#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

ABSL_FLAG(std::optional<double>, bits_per_key, std::nullopt,
          "BITS: filter bits for each key, 1 to 100");
ABSL_FLAG(std::optional<double>, fp_rate, std::nullopt,
          "RATE: the fraction of absent keys that a filter matches, 1e-9 to "
          "0.5");
ABSL_FLAG(std::optional<oneline::ByteSize>, memory, std::nullopt,
          "SIZE: memory of all filters, such as 512MiB; in sieve memory of the "
          "database, at least 8MiB; 256MiB if not given");
ABSL_FLAG(
    std::optional<oneline::KeyCount>, keys, std::nullopt,
    "N: keys in the whole database or filter, such as 5000000, 1e13 or 10M");
ABSL_FLAG(oneline::KeyCount, keys_per_filter, oneline::KeyCount{1e6},
          "N: keys in each table, or in each partition of a filter");
ABSL_FLAG(std::optional<int>, levels, std::nullopt,
          "N: levels below level 0 that have tables, 1 to 30");
ABSL_FLAG(std::optional<double>, size_ratio, std::nullopt,
          "RATIO: size of each level divided by that of the level above, 1 to "
          "1000; 10 if not given; only with --levels");
ABSL_FLAG(
    std::optional<int>, level0_files, std::nullopt,
    "N: tables in level 0, 0 to 1000; 4 if not given; only with --levels");
ABSL_FLAG(std::optional<double>, hits, std::nullopt,
          "FRACTION: of the lookups that come to the last level, those that "
          "find their key there, 0 to 1");
ABSL_FLAG(std::vector<std::string>, db_paths, {},
          "DIRECTORIES: directories outside the database's own that have its "
          "tables, separated by commas; in refilter all directories of tables, "
          "in the order of the program's db_paths, separated by commas");
ABSL_FLAG(
    std::string, column_family, "",
    "NAMES: the only column families, separated by commas; all if not given");
ABSL_FLAG(std::string, filter_policy, "",
          "POLICY: the filters to write, as in an OPTIONS file, such as "
          "oneline:10; that of the database's OPTIONS file if not given");
ABSL_FLAG(std::string, keep_old, "",
          "DIRECTORY: the directory, which must not exist, in which to keep "
          "the database as it was, by hard links");
ABSL_FLAG(bool, all, false,
          "all tables, also those that are as they should be");
ABSL_FLAG(bool, yes, false, "do it, instead of saying what would be done");
ABSL_FLAG(std::optional<oneline::ByteSize>, block_cache, std::nullopt,
          "SIZE: size of the block cache that all column families share, such "
          "as 8GiB; read from the LOG if not given");
ABSL_FLAG(std::vector<std::string>, expect, {},
          "POLICIES: the filters that there should be: oneline or none; of one "
          "column family default:oneline; several, separated by commas");
ABSL_FLAG(bool, json, false, "print JSON instead of text");
ABSL_FLAG(bool, prometheus, false,
          "print metrics in Prometheus's text format instead of text");
ABSL_FLAG(std::string, svg, "", "FILE: the SVG file to write a plot to");
ABSL_FLAG(uint32_t, probes, 100000,
          "N: number of random keys to look up in each filter, 0 for none");
ABSL_FLAG(uint64_t, probe_seed, 1, "SEED: seed of the random keys of --probes");
ABSL_FLAG(bool, lines, false,
          "count the keys of each line of our filters, which reads all keys");
ABSL_FLAG(oneline::JobCount, jobs, oneline::JobCount(),
          "N: number of tables to process in parallel, 1 to 256; in refilter "
          "number of tables to process in parallel, 1 to 64");
ABSL_FLAG(
    std::optional<oneline::ByteSize>, rate, std::nullopt,
    "SIZE: bytes to read per second at most, over all jobs, such as "
    "20MiB; no limit if not given; in refilter bytes of tables to rewrite "
    "per second, on average over all jobs, such as 20MiB; no limit if not "
    "given");
ABSL_FLAG(
    std::string, db, "",
    "DIRECTORY: directory of the database that remembers seen lines, exactly");
ABSL_FLAG(std::string, save, "",
          "FILE: file that keeps the Bloom filter of seen lines");
ABSL_FLAG(std::optional<oneline::KeyCount>, capacity, std::nullopt,
          "N: expected number of different lines, such as 5000000 or 10M");
ABSL_FLAG(bool, normalize, false,
          "treat URLs with the same normal form as the same line");
ABSL_FLAG(std::optional<int>, hashes, std::nullopt,
          "N: hashes for each key, 1 to 64; for a rate of 2^-HASHES");

namespace oneline {
namespace {

struct Bounds {
  absl::string_view flag;
  double min, max;
  absl::string_view text;
};

constexpr Bounds kBounds[] = {
    {"bits_per_key", 1, 100, "1 to 100"},
    {"fp_rate", 1e-9, 0.5, "1e-9 to 0.5"},
    {"hashes", 1, 64, "1 to 64"},
    {"hits", 0, 1, "0 to 1"},
    {"level0_files", 0, 1000, "0 to 1000"},
    {"levels", 1, 30, "1 to 30"},
    {"size_ratio", 1, 1000, "1 to 1000"},
};

}  // namespace

bool IsGiven(absl::string_view flag) {
  const absl::CommandLineFlag& found = *absl::FindCommandLineFlag(flag);
  return found.CurrentValue() != found.DefaultValue();
}

absl::Status CheckBounds(const absl::CommandLineFlag& flag) {
  for (const Bounds& bounds : kBounds) {
    double value;
    if (flag.Name() != bounds.flag ||
        !absl::SimpleAtod(flag.CurrentValue(), &value) ||
        (value >= bounds.min && value <= bounds.max)) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat("must be ", bounds.text));
  }
  return absl::OkStatus();
}

}  // namespace oneline
