// The flags of all commands. Each is defined once, as several commands share
// it.

#ifndef ONELINE_TOOLS_COMMAND_FLAGS_H_
#define ONELINE_TOOLS_COMMAND_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/declare.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/command/parallel.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"

namespace oneline {

// Whether a flag of flags.cc has another value than its default.
bool IsGiven(absl::string_view flag);

// InvalidArgument, "must be 1 to 100", if the value of a flag that is a number
// is outside of its bounds, which its help tells.
absl::Status CheckBounds(const absl::CommandLineFlag& flag);

}  // namespace oneline

// The size of filters, in one of four measures.
ABSL_DECLARE_FLAG(std::optional<double>, bits_per_key);
ABSL_DECLARE_FLAG(std::optional<double>, fp_rate);
ABSL_DECLARE_FLAG(std::optional<oneline::ByteSize>, memory);

// The size and shape of a database that is planned.
ABSL_DECLARE_FLAG(std::optional<oneline::KeyCount>, keys);
ABSL_DECLARE_FLAG(oneline::KeyCount, keys_per_filter);
ABSL_DECLARE_FLAG(std::optional<int>, levels);
ABSL_DECLARE_FLAG(std::optional<double>, size_ratio);
ABSL_DECLARE_FLAG(std::optional<double>, hits);
ABSL_DECLARE_FLAG(std::optional<int>, level0_files);

// What to read of a database, and what its files do not record.
ABSL_DECLARE_FLAG(std::vector<std::string>, db_paths);
ABSL_DECLARE_FLAG(std::string, column_family);
ABSL_DECLARE_FLAG(std::optional<oneline::ByteSize>, block_cache);
ABSL_DECLARE_FLAG(std::vector<std::string>, expect);

// How results are printed.
ABSL_DECLARE_FLAG(bool, json);
ABSL_DECLARE_FLAG(bool, prometheus);
ABSL_DECLARE_FLAG(std::string, svg);

// What to change.
ABSL_DECLARE_FLAG(std::string, filter_policy);
ABSL_DECLARE_FLAG(std::string, keep_old);
ABSL_DECLARE_FLAG(bool, all);
ABSL_DECLARE_FLAG(bool, yes);

// What to measure of filters.
ABSL_DECLARE_FLAG(uint32_t, probes);
ABSL_DECLARE_FLAG(uint64_t, probe_seed);
ABSL_DECLARE_FLAG(bool, lines);

// How `oneline sieve` remembers lines, and how many to expect.
ABSL_DECLARE_FLAG(std::string, db);
ABSL_DECLARE_FLAG(std::string, save);
ABSL_DECLARE_FLAG(std::optional<oneline::KeyCount>, capacity);
ABSL_DECLARE_FLAG(bool, normalize);
ABSL_DECLARE_FLAG(std::optional<int>, hashes);

// Parallelism, and a limit to it.
ABSL_DECLARE_FLAG(oneline::JobCount, jobs);
ABSL_DECLARE_FLAG(std::optional<oneline::ByteSize>, rate);

#endif  // ONELINE_TOOLS_COMMAND_FLAGS_H_
