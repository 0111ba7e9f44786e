#include "tests/test_vectors.h"

#include <fstream>
#include <sstream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "table/filter_block.h"
#include "table/filter_kind.h"
#include "table/hash_list.h"
#include "table/key_hash.h"

namespace oneline {
namespace {

constexpr char kExplanation[] =
    R"(# Filter blocks, and what a reader must answer from them: docs/format.md.
#
# block NAME             begins a block; what is special about it
# bytes HEX              the block
# key HEX HASH ANSWER    a key ("-": the empty one), its hash with the block's
#                        seed, and the answer: "in" for a key that was added
#                        (so: maybe), "maybe" or "no" for another
#
# Written by: bazel run //tests:golden_blocks_gen -- "$PWD/tests/golden"
)";

struct Vector {
  const char* name;
  const char* what;
  const char* kind;
  size_t num_keys;
  uint32_t num_lines;
  uint8_t parameter;
};

constexpr Vector kVectors[] = {
    {"bloom", "6 probes", "bloom", 60, 2, 6},
    {"ribbon_32_columns", "few rows: 32 columns and unused bits", "ribbon", 30,
     3, 4},
    {"ribbon_dense", "up to 56 rows, a partial column", "ribbon", 150, 3, 36},
    {"ribbon_band", "more than 56 rows: windows begin in many places", "ribbon",
     220, 3, 55},
    {"ribbon_band_partial", "a partial column of more than 56 rows", "ribbon",
     200, 1, 200},
    {"ribbon_one_column", "the most rows that there can be, nearly", "ribbon",
     310, 1, 255},
    {"ribbon_unsolved", "a line that answers maybe", "ribbon", 80, 1, 10},
    {"ribbon_no_rows", "lines without rows, base 0", "ribbon", 3, 8, 0},
    {"ribbon_no_keys", "lines without keys that have rows", "ribbon", 1, 3, 9},
};

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (char c : bytes) {
    absl::StrAppendFormat(&hex, "%02x", static_cast<uint8_t>(c));
  }
  return hex;
}

std::string AddedKey(size_t i) {
  return i == 0 ? std::string() : absl::StrCat("key", i);
}

std::string BuildBlock(const Vector& vector, uint64_t seed) {
  const FilterKind& kind = *FindFilterKind(vector.kind);
  HashList hashes;
  for (size_t i = 0; i < vector.num_keys; ++i) {
    hashes.Append(KeyHash(AddedKey(i), seed));
  }
  Trailer trailer;
  trailer.seed = seed;
  trailer.num_lines = vector.num_lines;
  trailer.num_keys = static_cast<uint32_t>(vector.num_keys);
  trailer.kind = kind.id;
  trailer.parameter = vector.parameter;
  const size_t lines_bytes = kLineBytes * vector.num_lines;
  std::string block(lines_bytes + kTrailerBytes, '\0');
  auto* out = reinterpret_cast<uint8_t*>(block.data());
  kind.build(hashes, vector.parameter, kDefaultEffort, out, vector.num_lines);
  EncodeTrailer(trailer, out + lines_bytes);
  return block;
}

}  // namespace

std::string TestVectors() {
  std::string text = kExplanation;
  uint64_t seed = 0x0123456789abcdef;
  for (const Vector& vector : kVectors) {
    const std::string block = BuildBlock(vector, seed);
    absl::StrAppend(&text, "\nblock ", vector.name, "  # ", vector.what,
                    "\nbytes ", Hex(block), "\n");
    const FilterBlockReader reader(block, InstructionSet::kPortable);
    const auto append = [&](const std::string& key, const char* answer) {
      absl::StrAppendFormat(&text, "key %s %016x %s\n",
                            key.empty() ? "-" : Hex(key).c_str(),
                            KeyHash(key, seed), answer);
    };
    for (size_t i = 0; i < vector.num_keys; ++i) append(AddedKey(i), "in");
    for (size_t i = 0; i < 60; ++i) {
      const std::string key = absl::StrCat("absent", i);
      append(key, reader.MayMatch(key) ? "maybe" : "no");
    }
    seed = seed * 3 + 1;
  }
  return text;
}

std::string ReadTestVectors() {
  std::ostringstream text;
  text << std::ifstream("tests/golden/vectors.txt").rdbuf();
  return text.str();
}

}  // namespace oneline
