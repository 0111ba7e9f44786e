#include "tests/golden/test_vectors.h"

#include <fstream>
#include <random>
#include <sstream>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/hash/little_endian.h"
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
# No writer makes the blocks in which no key is "in". Readers must refuse those
# whose name begins with "refused", and answer "maybe".
#
# Written by: bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
)";

constexpr char kShortExplanation[] =
    R"(# Short blocks, and what a reader must answer from them: docs/format.md.
# The same words as in vectors.txt; all hashes are with seed 0. No writer makes
# the blocks in which no key is "in" ("-": the empty one).
#
# Written by: bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
)";

// Blocks that are built for keys.
struct Vector {
  const char* name;
  const char* what;
  const char* kind;
  size_t num_keys;
  uint32_t num_lines;
  uint8_t parameter;
};

constexpr Vector kVectors[] = {
    {"bloom_1_probe", "1 probe", "bloom", 60, 1, 1},
    {"bloom", "6 probes", "bloom", 60, 2, 6},
    {"bloom_12_probes", "12 probes, from both halves of the mix", "bloom", 30,
     1, 12},
    {"bloom_24_probes", "the most probes", "bloom", 30, 2, 24},
    {"ribbon_32_columns", "fewer than 16 rows: 32 columns and unused bits",
     "ribbon", 30, 3, 4},
    {"ribbon_partial", "up to 64 rows, partial columns with each d", "ribbon",
     400, 8, 36},
    {"ribbon_turned", "w - base above 8: it turns the key's bits as seeds do",
     "ribbon", 400, 8, 0},
    {"ribbon_64_rows", "about 64 rows: windows begin above", "ribbon", 500, 8,
     40},
    {"ribbon_windows", "more than 64 rows, four to six windows", "ribbon", 800,
     8, 84},
    {"ribbon_254_rows", "one or two columns, 15 windows, the most rows",
     "ribbon", 254, 1, 192},
    {"ribbon_unsolved", "a line that answers maybe", "ribbon", 80, 1, 8},
    {"ribbon_no_keys", "lines without keys, base 0: one row", "ribbon", 3, 8,
     0},
    {"ribbon_no_keys_base_8", "lines without keys that have 8 rows", "ribbon",
     1, 3, 8},
};

// Blocks of kind 2 with lines of random bytes.
struct RandomBytes {
  const char* name;
  const char* what;
  uint32_t num_lines;
  uint8_t base;
  int rows_over_base;  // of all lines; -1: random, too
};

constexpr RandomBytes kRandomBytes[] = {
    {"random_base_0", "random bytes: up to 62 rows", 16, 0, -1},
    {"random_base_64", "random bytes: 64 to 126 rows", 16, 64, -1},
    {"random_base_128", "random bytes: 128 to 190 rows", 64, 128, -1},
    {"random_base_192", "random bytes: 192 to 254 rows", 64, 192, -1},
    {"random_no_rows", "random bytes, but no rows", 4, 0, 0},
    {"random_unsolved", "random bytes, but the line could not be solved", 4, 40,
     63},
};

// Blocks of one line and three keys in which one byte of the trailer is another
// one, and the checksum is right again unless it is what was changed.
struct ChangedTrailer {
  const char* name;
  const char* what;
  uint8_t kind;
  size_t at;  // in the trailer
  uint8_t value;
};

constexpr ChangedTrailer kChangedTrailers[] = {
    {"level_3", "a level", kBloomId, 19, 3},
    {"asked", "10 bits per key asked for", kRibbonId, 22, 20},
    {"refused_kind_0", "kind 0", kBloomId, 16, 0},
    {"refused_kind_3", "an unknown kind", kBloomId, 16, 3},
    {"refused_version_0", "version 0", kBloomId, 17, 0},
    {"refused_version_2", "a later version", kRibbonId, 17, 2},
    {"refused_0_probes", "0 probes", kBloomId, 18, 0},
    {"refused_25_probes", "25 probes", kBloomId, 18, 25},
    {"refused_base_2", "a base that is no multiple of 4", kRibbonId, 18, 2},
    {"refused_base_196", "a base above 192", kRibbonId, 18, 196},
    {"refused_reserved", "the reserved byte is not 0", kRibbonId, 20, 1},
    {"refused_checksum", "a wrong checksum", kBloomId, 23, 0},
    {"refused_zero", "the byte before the magic is not 0", kBloomId, 27, 1},
    {"refused_magic", "a wrong magic", kBloomId, 31, 0x6c},
    {"refused_2_lines", "2 lines said, 1 line there", kRibbonId, 8, 2},
    {"refused_0_keys", "a line, but no keys", kRibbonId, 12, 0},
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
    {"ribbon_51_keys", "one line of 63 bytes", "ribbon", 51, 10},
    {"ribbon_60_keys", "two lines of 37 bytes", "ribbon", 60, 10},
    {"ribbon_200_keys", "four lines of 62 bytes", "ribbon", 200, 10},
    {"ribbon_few_columns", "rows that leave one column and a partial one",
     "ribbon", 28, 2.6},
    {"ribbon_windows", "more than 64 rows", "ribbon", 150, 3},
    {"ribbon_as_bloom", "too few bits for the Ribbon", "ribbon", 100, 1.5},
};

// Blocks that no writer makes.
struct OddBlock {
  const char* name;
  const char* what;
  const char* bytes;
};

constexpr OddBlock kOddBlocks[] = {
    {"unsolved", "a line that answers maybe", "fc0000000000000080"},
    {"no_rows", "base 0 and no rows", "034a39281706f5e480"},
    {"no_full_column", "54 rows: a partial column of 53 rows alone",
     "1bc71122334455668c"},
    {"bloom_all", "24 probes, all bits set", "ffffffffffffffff18"},
    {"reserved_0", "a code without meaning", "000000000000000000"},
    {"reserved_25", "a code without meaning", "000000000000000019"},
    {"reserved_127", "a code without meaning", "00000000000000007f"},
    {"reserved_177", "a code without meaning: base 196", "0000000000000000b1"},
    {"reserved_255", "a code without meaning", "0000000000000000ff"},
    {"too_short", "8 bytes", "0000000000000001"},
    {"uneven", "66 bytes: two lines, but not equally long",
     "0000000000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000001"},
    {"empty", "no bytes", "-"},
};

constexpr uint64_t kShortVectorSeed = 0;
constexpr size_t kAbsentKeys = 60;
constexpr size_t kFewAbsentKeys = 8;

uint8_t* Bytes(std::string& s) { return reinterpret_cast<uint8_t*>(s.data()); }

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
  kind.build(hashes, vector.parameter, kDefaultEffort, Bytes(block),
             vector.num_lines);
  EncodeTrailer(trailer, Bytes(block) + lines_bytes);
  return block;
}

// The generator is specified by the C++ standard, so its numbers never change.
void FillWithRandomBytes(uint64_t seed, size_t n, std::string* bytes) {
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < n; ++i) {
    (*bytes)[i] = static_cast<char>(random() & 255);
  }
}

std::string BuildRandomBytes(const RandomBytes& vector, uint64_t seed) {
  Trailer trailer;
  trailer.seed = seed;
  trailer.num_lines = vector.num_lines;
  trailer.num_keys = 1;
  trailer.kind = kRibbonId;
  trailer.parameter = vector.base;
  const size_t lines_bytes = kLineBytes * vector.num_lines;
  std::string block(lines_bytes + kTrailerBytes, '\0');
  FillWithRandomBytes(seed, lines_bytes, &block);
  if (vector.rows_over_base >= 0) {
    for (size_t i = 0; i < lines_bytes; i += kLineBytes) {
      block[i] = static_cast<char>((block[i] & 3) | vector.rows_over_base << 2);
    }
  }
  EncodeTrailer(trailer, Bytes(block) + lines_bytes);
  return block;
}

std::string BuildChangedTrailer(const ChangedTrailer& vector, uint64_t seed) {
  constexpr size_t kChecksumAt = 23, kAfterChecksum = 27;
  const bool bloom = vector.kind == kBloomId;
  std::string block = BuildBlock({"", "", bloom ? "bloom" : "ribbon", 3, 1,
                                  static_cast<uint8_t>(bloom ? 6 : 0)},
                                 seed);
  std::string trailer = block.substr(kLineBytes);
  trailer[vector.at] = static_cast<char>(vector.value);
  if (vector.at < kChecksumAt || vector.at >= kAfterChecksum) {
    PutLittleEndian(uint32_t{0}, Bytes(trailer) + kChecksumAt);
    PutLittleEndian(static_cast<uint32_t>(KeyHash(trailer, 0)),
                    Bytes(trailer) + kChecksumAt);
  }
  return block.replace(kLineBytes, kTrailerBytes, trailer);
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

// One line of random bytes.
std::string BuildRandomShortBlock(size_t line_bytes, uint32_t base) {
  std::string block(line_bytes, '\0');
  FillWithRandomBytes(line_bytes, line_bytes, &block);
  block.push_back(static_cast<char>(0x80 + base / 4));
  return block;
}

void AppendBlock(std::string_view name, std::string_view what,
                 std::string_view block, std::string* text) {
  absl::StrAppendFormat(text, "\nblock %s  # %s\nbytes %s\n", name, what,
                        block.empty() ? "-" : Hex(block));
}

// Keys that were added, and some that were not, with their answers.
template <typename MayMatch>
void AppendKeys(size_t num_keys, size_t num_absent, uint64_t seed,
                MayMatch may_match, std::string* text) {
  const auto append = [&](const std::string& key, const char* answer) {
    absl::StrAppendFormat(text, "key %s %016x %s\n",
                          key.empty() ? "-" : Hex(key), KeyHash(key, seed),
                          answer);
  };
  for (size_t i = 0; i < num_keys; ++i) append(AddedKey(i), "in");
  for (size_t i = 0; i < num_absent; ++i) {
    const std::string key = absl::StrCat("absent", i);
    append(key, may_match(key) ? "maybe" : "no");
  }
}

void AppendAnswers(std::string_view block, size_t num_keys, size_t num_absent,
                   uint64_t seed, std::string* text) {
  const FilterBlockReader reader(block, InstructionSet::kPortable);
  AppendKeys(
      num_keys, num_absent, seed,
      [&](const std::string& key) { return reader.MayMatch(key); }, text);
}

void AppendShortAnswers(std::string_view block, size_t num_keys,
                        size_t num_absent, std::string* text) {
  const ShortBlockKernels kernels =
      ShortBlockKernelsFor(InstructionSet::kPortable);
  AppendKeys(
      num_keys, num_absent, kShortVectorSeed,
      [&](const std::string& key) {
        return ShortBlockMayMatch(block, KeyHash(key, kShortVectorSeed),
                                  kernels);
      },
      text);
}

// A line of each length, with 5 to 15 bits per key; then one of random bytes.
void AppendEachLength(std::string* text) {
  for (size_t line_bytes = 8; line_bytes <= kLineBytes; ++line_bytes) {
    const size_t num_keys = 8 * line_bytes / (5 + line_bytes % 11);
    const double bits_per_key =
        8 * static_cast<double>(line_bytes + 1) / static_cast<double>(num_keys);
    const std::string block =
        BuildShortBlock({"", "", "ribbon", num_keys, bits_per_key});
    AppendBlock(absl::StrCat("ribbon_", line_bytes, "_bytes"),
                absl::StrCat("one line, ", num_keys, " keys"), block, text);
    AppendShortAnswers(block, num_keys, kFewAbsentKeys, text);
  }
  for (size_t line_bytes = 8; line_bytes <= kLineBytes; ++line_bytes) {
    const auto base = static_cast<uint32_t>(4 * (17 * line_bytes % 49));
    const std::string block = BuildRandomShortBlock(line_bytes, base);
    AppendBlock(absl::StrCat("random_", line_bytes, "_bytes"),
                absl::StrCat("one line, base ", base), block, text);
    AppendShortAnswers(block, 0, kFewAbsentKeys, text);
  }
}

std::string ReadFile(const char* name) {
  std::ostringstream text;
  text << std::ifstream(std::string("tests/golden/") + name).rdbuf();
  return text.str();
}

}  // namespace

std::string FromHex(std::string_view hex) {
  if (hex == "-") return "";
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    int byte = 0;
    if (!absl::SimpleHexAtoi(absl::string_view(&hex[i], 2), &byte)) return "";
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string ShortTestVectors() {
  std::string text = kShortExplanation;
  for (const ShortVector& vector : kShortVectors) {
    const std::string block = BuildShortBlock(vector);
    AppendBlock(vector.name, vector.what, block, &text);
    AppendShortAnswers(block, vector.num_keys, kAbsentKeys, &text);
  }
  AppendEachLength(&text);
  for (const OddBlock& odd : kOddBlocks) {
    const std::string block = FromHex(odd.bytes);
    AppendBlock(odd.name, odd.what, block, &text);
    AppendShortAnswers(block, 0, kFewAbsentKeys, &text);
  }
  return text;
}

std::string ReadShortTestVectors() { return ReadFile("short_vectors.txt"); }

std::string TestVectors() {
  std::string text = kExplanation;
  uint64_t seed = 0x0123456789abcdef;
  for (const Vector& vector : kVectors) {
    const std::string block = BuildBlock(vector, seed);
    AppendBlock(vector.name, vector.what, block, &text);
    AppendAnswers(block, vector.num_keys, kAbsentKeys, seed, &text);
    seed = seed * 3 + 1;
  }
  for (const RandomBytes& vector : kRandomBytes) {
    const std::string block = BuildRandomBytes(vector, seed);
    AppendBlock(vector.name, vector.what, block, &text);
    AppendAnswers(block, 0, 4 * size_t{vector.num_lines}, seed, &text);
    seed = seed * 3 + 1;
  }
  for (const ChangedTrailer& vector : kChangedTrailers) {
    const std::string block = BuildChangedTrailer(vector, seed);
    AppendBlock(vector.name, vector.what, block, &text);
    const bool refused = !DecodeTrailer(block).has_value();
    AppendAnswers(block, refused ? 0 : 3, kFewAbsentKeys, seed, &text);
  }
  const std::string whole = BuildBlock({"", "", "bloom", 3, 1, 6}, seed);
  for (size_t cut :
       {kLineBytes + kTrailerBytes, kLineBytes + 1, kLineBytes, size_t{1}}) {
    const std::string block = whole.substr(cut);
    AppendBlock(absl::StrCat("refused_", block.size(), "_bytes"),
                "the end of a block", block, &text);
    AppendAnswers(block, 0, kFewAbsentKeys, seed, &text);
  }
  return text;
}

std::string ReadTestVectors() { return ReadFile("vectors.txt"); }

}  // namespace oneline
