// The flags of all commands, each once: several commands take the same ones,
// and with the same meaning.

#ifndef ONELINE_TOOLS_FLAGS_H_
#define ONELINE_TOOLS_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/flags/declare.h"
#include "tools/byte_size.h"

// The size of filters, by one measure.
ABSL_DECLARE_FLAG(std::optional<double>, bits_per_key);
ABSL_DECLARE_FLAG(std::optional<double>, fp_rate);
ABSL_DECLARE_FLAG(std::optional<oneline::ByteSize>, memory);

// How results are printed.
ABSL_DECLARE_FLAG(bool, json);
ABSL_DECLARE_FLAG(std::string, svg);

// Where lines that were seen are kept, and how many are expected.
ABSL_DECLARE_FLAG(std::string, db);
ABSL_DECLARE_FLAG(std::string, save);
ABSL_DECLARE_FLAG(uint64_t, capacity);
ABSL_DECLARE_FLAG(uint64_t, keys);

// How much work is done at once.
ABSL_DECLARE_FLAG(int, jobs);

#endif  // ONELINE_TOOLS_FLAGS_H_
