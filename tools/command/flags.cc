// Defines the flags. Help texts also complete errors: "must be a number:
// <help>".

#include "tools/command/flags.h"

#include "absl/flags/flag.h"

ABSL_FLAG(std::optional<double>, bits_per_key, std::nullopt,
          "filter bits for each key, 1 to 100");
ABSL_FLAG(std::optional<double>, fp_rate, std::nullopt,
          "the share of absent keys that pass a filter, 1e-9 to 0.5; in advise "
          "the wasted reads per lookup");
ABSL_FLAG(
    std::optional<oneline::ByteSize>, memory, std::nullopt,
    "memory of all filters, such as 512MiB; in sieve memory of the database");
ABSL_FLAG(std::optional<oneline::KeyCount>, keys, std::nullopt,
          "keys in the whole database or filter, such as 5000000, 1e13 or 10M");
ABSL_FLAG(oneline::KeyCount, keys_per_filter, oneline::KeyCount{1e6},
          "keys in each table, or in each partition of a filter");
ABSL_FLAG(std::optional<int>, levels, std::nullopt,
          "levels below level 0 that have tables, 1 to 30");
ABSL_FLAG(
    std::optional<double>, size_ratio, std::nullopt,
    "size of each level divided by that of the level above, 1 to 1000; 10 "
    "if not given");
ABSL_FLAG(std::optional<int>, level0_files, std::nullopt,
          "tables in level 0, 0 to 1000; 4 if not given");
ABSL_FLAG(std::vector<std::string>, db_paths, {},
          "directories outside the database's own that have its tables, "
          "separated by commas");
ABSL_FLAG(std::string, column_family, "",
          "the only column family to look at; all if not given; in refilter "
          "the only column families, separated by commas; all if not given");
ABSL_FLAG(std::string, filter_policy, "",
          "the filters to write, as in an OPTIONS file, such as oneline:10; "
          "that of the database's OPTIONS file if not given");
ABSL_FLAG(std::string, keep_old, "",
          "the directory, which must not exist, in which to keep the database "
          "as it was, by hard links");
ABSL_FLAG(bool, yes, false, "do it, instead of saying what would be done");
ABSL_FLAG(std::optional<oneline::ByteSize>, block_cache, std::nullopt,
          "size of the block cache that all column families share, such as "
          "8GiB; read from the LOG if not given");
ABSL_FLAG(std::vector<std::string>, expect, {},
          "the filters that there should be: oneline or none; of one column "
          "family default:oneline; several, separated by commas");
ABSL_FLAG(bool, json, false, "print JSON instead of text");
ABSL_FLAG(std::string, svg, "", "the SVG file to write a plot to");
ABSL_FLAG(uint32_t, probes, 100000,
          "number of random keys to look up in each filter, 0 for none");
ABSL_FLAG(uint64_t, probe_seed, 1, "seed of the random keys of --probes");
ABSL_FLAG(
    bool, lines, true,
    "count the keys of each line, which reads all keys; --nolines to skip "
    "this");
ABSL_FLAG(oneline::JobCount, jobs, oneline::JobCount(),
          "number of tables to process in parallel, 1 to 256");
ABSL_FLAG(std::string, db, "",
          "directory of the database that remembers seen lines, exactly");
ABSL_FLAG(std::string, save, "",
          "file that keeps the Bloom filter of seen lines");
ABSL_FLAG(std::optional<oneline::KeyCount>, capacity, std::nullopt,
          "expected number of different lines, such as 5000000 or 10M");
ABSL_FLAG(bool, normalize, false,
          "take URLs with the same normal form for the same line");
ABSL_FLAG(std::optional<int>, hashes, std::nullopt,
          "hashes for each key, 1 to 64; same as --fp_rate=2^-HASHES");
