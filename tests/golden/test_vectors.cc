#include "tests/golden/test_vectors.h"

#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"

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
# Written by: bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
)";

constexpr char kShortExplanation[] =
    R"(# Short blocks, and what a reader must answer from them: docs/format.md.
# The same words as in vectors.txt; all hashes are with seed 0. Blocks in which
# no key is "in" are such as no writer makes ("-": the empty one).
#
# Written by: bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
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

struct ShortVector {
  const char* name;
  const char* what;
  const char* kind;
  size_t num_keys;
  double bits_per_key;
};

constexpr ShortVector kShortVectors[] = {
    {"bloom_1_key", "the shortest line, many probes", "bloom", 1, 10},
    {"bloom_20_keys", "one line of 24 bytes", "bloom", 20, 10},
    {"bloom_200_keys", "four lines of 62 bytes", "bloom", 200, 10},
    {"ribbon_1_key", "the shortest line, 32 columns", "ribbon", 1, 10},
    {"ribbon_5_keys", "the shortest line", "ribbon", 5, 10},
    {"ribbon_20_keys", "one line of 24 bytes", "ribbon", 20, 10},
    {"ribbon_51_keys", "one line of 63 bytes", "ribbon", 51, 10},
    {"ribbon_60_keys", "two lines of 37 bytes", "ribbon", 60, 10},
    {"ribbon_200_keys", "four lines of 62 bytes", "ribbon", 200, 10},
    {"ribbon_few_columns", "rows that leave one column and a partial one",
     "ribbon", 36, 2},
    {"ribbon_band", "more than 56 rows", "ribbon", 150, 3},
    {"ribbon_as_bloom", "too few bits for the Ribbon", "ribbon", 100, 1.5},
};

// Blocks that no writer makes.
struct OddBlock {
  const char* name;
  const char* what;
  const char* bytes;
};

constexpr OddBlock kOddBlocks[] = {
    {"unsolved", "a line that answers maybe", "3f0000000000000080"},
    {"no_rows", "base 0 and no rows", "c00000000000000080"},
    {"no_full_column", "65 rows: a partial column of 53 rows alone",
     "c10311223344556677a0"},
    {"bloom_all", "24 probes, all bits set", "ffffffffffffffff18"},
    {"reserved_0", "a code without meaning", "000000000000000000"},
    {"reserved_25", "a code without meaning", "000000000000000019"},
    {"reserved_127", "a code without meaning", "00000000000000007f"},
    {"too_short", "8 bytes", "0000000000000001"},
    {"uneven", "66 bytes: two lines, but not equally long",
     "0000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000001"},
    {"empty", "no bytes", "-"},
};

constexpr uint64_t kShortVectorSeed = 0;

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
  const KindTraits& kind = *FindKind(vector.kind);
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

// The lines of the keys that were added, and of some that were not.
template <typename MayMatch>
void AppendKeys(size_t num_keys, uint64_t seed, MayMatch may_match,
                std::string* text) {
  const auto append = [&](const std::string& key, const char* answer) {
    absl::StrAppendFormat(text, "key %s %016x %s\n",
                          key.empty() ? "-" : Hex(key).c_str(),
                          KeyHash(key, seed), answer);
  };
  for (size_t i = 0; i < num_keys; ++i) append(AddedKey(i), "in");
  for (size_t i = 0; i < 60; ++i) {
    const std::string key = absl::StrCat("absent", i);
    append(key, may_match(key) ? "maybe" : "no");
  }
}

std::string BuildShortBlock(const ShortVector& vector) {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < vector.num_keys; ++i) {
    hashes.push_back(KeyHash(AddedKey(i), kShortVectorSeed));
  }
  std::string block;
  AppendShortBlock(*FindKind(vector.kind), vector.bits_per_key, kDefaultEffort,
                   &hashes, &block);
  return block;
}

std::string ReadFile(const char* name) {
  std::ostringstream text;
  text << std::ifstream(std::string("tests/golden/") + name).rdbuf();
  return text.str();
}

}  // namespace

std::string FromHex(std::string_view hex) {
  if (hex == "-") return "";
  return absl::HexStringToBytes(absl::string_view(hex.data(), hex.size()));
}

std::string ShortTestVectors() {
  const ShortLineKernel& kernel = ShortLineKernelFor(InstructionSet::kPortable);
  std::string text = kShortExplanation;
  const auto append_keys = [&](size_t num_keys, const std::string& block) {
    AppendKeys(
        num_keys, kShortVectorSeed,
        [&](const std::string& key) {
          return ShortBlockMayMatch(block, KeyHash(key, kShortVectorSeed),
                                    kernel);
        },
        &text);
  };
  for (const ShortVector& vector : kShortVectors) {
    const std::string block = BuildShortBlock(vector);
    absl::StrAppend(&text, "\nblock ", vector.name, "  # ", vector.what,
                    "\nbytes ", Hex(block), "\n");
    append_keys(vector.num_keys, block);
  }
  for (const OddBlock& odd : kOddBlocks) {
    absl::StrAppend(&text, "\nblock ", odd.name, "  # ", odd.what, "\nbytes ",
                    odd.bytes, "\n");
    append_keys(0, FromHex(odd.bytes));
  }
  return text;
}

std::string ReadShortTestVectors() { return ReadFile("short_vectors.txt"); }

std::string TestVectors() {
  std::string text = kExplanation;
  uint64_t seed = 0x0123456789abcdef;
  for (const Vector& vector : kVectors) {
    const std::string block = BuildBlock(vector, seed);
    absl::StrAppend(&text, "\nblock ", vector.name, "  # ", vector.what,
                    "\nbytes ", Hex(block), "\n");
    const FilterBlockReader reader(block, InstructionSet::kPortable);
    AppendKeys(
        vector.num_keys, seed,
        [&](const std::string& key) { return reader.MayMatch(key); }, &text);
    seed = seed * 3 + 1;
  }
  return text;
}

std::string ReadTestVectors() { return ReadFile("vectors.txt"); }

}  // namespace oneline
