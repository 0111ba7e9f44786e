#include "tools/command/flags.h"

#include "absl/flags/flag.h"

ABSL_FLAG(std::optional<double>, bits_per_key, std::nullopt,
          "bits of filter for each key, 1 to 100");
ABSL_FLAG(std::optional<double>, fp_rate, std::nullopt,
          "the share of absent keys that pass, 1e-9 to 0.5");
ABSL_FLAG(std::optional<oneline::ByteSize>, memory, std::nullopt,
          "bytes of all filters together, or of a store of lines, as 512MiB");
ABSL_FLAG(std::optional<oneline::KeyCount>, keys, std::nullopt,
          "keys of the whole store or filter, as 5000000, 1e13 or 10M");
ABSL_FLAG(oneline::KeyCount, keys_per_filter, oneline::KeyCount{1e6},
          "keys of a table, or of a partition of its filter");
ABSL_FLAG(std::optional<int>, levels, std::nullopt,
          "levels below level 0 that have tables, 1 to 30");
ABSL_FLAG(std::optional<double>, size_ratio, std::nullopt,
          "of each level to the one above it, 1 to 1000; 10 if not given");
ABSL_FLAG(std::optional<int>, level0_files, std::nullopt,
          "tables in level 0, 0 to 1000; 4 if not given");
ABSL_FLAG(std::vector<std::string>, db_paths, {},
          "directories that have tables besides the database's own, separated "
          "by commas");
ABSL_FLAG(std::string, column_family, "",
          "the only column family to look at; all if not given");
ABSL_FLAG(std::string, write, "",
          "an OPTIONS file whose filter_policy lines are to be changed");
ABSL_FLAG(std::optional<oneline::ByteSize>, block_cache, std::nullopt,
          "bytes of the block cache that all column families share, as 8GiB; "
          "what the LOG says if not given");
ABSL_FLAG(bool, json, false, "print JSON instead of a table");
ABSL_FLAG(std::string, svg, "", "a file to write a plot to, as SVG");
ABSL_FLAG(uint32_t, probes, 100000,
          "random keys that each filter is asked for, 0 for none");
ABSL_FLAG(uint64_t, probe_seed, 1, "a number; others ask for other keys");
ABSL_FLAG(bool, lines, true,
          "count the keys of each line, for which all keys are read;"
          " --nolines leaves that out");
ABSL_FLAG(oneline::JobCount, jobs, oneline::JobCount(),
          "how many tables are worked on at once, 1 to 256");
ABSL_FLAG(std::string, db, "", "a folder to keep seen lines in, exactly");
ABSL_FLAG(std::string, save, "", "a file to keep the filter of seen lines in");
ABSL_FLAG(std::optional<oneline::KeyCount>, capacity, std::nullopt,
          "different lines to expect, as 5000000 or 10M");
ABSL_FLAG(bool, normalize, false,
          "URLs with the same normal form count as one line");
ABSL_FLAG(std::optional<int>, hashes, std::nullopt,
          "of each key, 1 to 64, instead of --fp_rate=2^-HASHES");
