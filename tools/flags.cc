#include "tools/flags.h"

#include "absl/flags/flag.h"

ABSL_FLAG(std::optional<double>, bits_per_key, std::nullopt,
          "bits of filter for each key, 1 to 100");
ABSL_FLAG(std::optional<double>, fp_rate, std::nullopt,
          "the share of absent keys that pass, 1e-9 to 0.5");
ABSL_FLAG(std::optional<oneline::ByteSize>, memory, std::nullopt,
          "bytes of all filters together, as 512MiB");
ABSL_FLAG(bool, json, false, "print JSON instead of a table");
ABSL_FLAG(std::string, svg, "", "a file to write a plot to, as SVG");
ABSL_FLAG(std::string, db, "", "a folder to keep seen lines in, exactly");
ABSL_FLAG(std::string, save, "", "a file to keep the filter of seen lines in");
ABSL_FLAG(uint64_t, capacity, 0, "different lines to expect, 1 or more");
ABSL_FLAG(uint64_t, keys, 10000000, "keys to fill a filter with, 1 or more");
ABSL_FLAG(int, jobs, 1, "how many tables are worked on at once, 1 to 256");
