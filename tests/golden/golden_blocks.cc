#include "tests/golden/golden_blocks.h"

#include <fstream>
#include <sstream>

#include "absl/strings/str_format.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"

namespace oneline {

const std::vector<GoldenBlock>& GoldenBlocks() {
  constexpr uint64_t kSeed = 0x0123456789abcdef;
  static const auto& blocks = *new std::vector<GoldenBlock>{
      {"bloom_empty", "bloom", 0, 10, 0, kSeed},
      {"bloom_1_key", "bloom", 1, 10, 0, 0},
      {"bloom_20_keys", "bloom", 20, 10, 0, kSeed},
      {"bloom_20_keys_1_probe", "bloom", 20, 10, 1, kSeed},
      {"bloom_20_keys_24_probes", "bloom", 20, 50, 24, kSeed},
      {"bloom_20_keys_level_0", "bloom", 20, 10, 0, kSeed, 0},
      {"bloom_200_keys", "bloom", 200, 12.5, 0, ~kSeed},
      {"ribbon_empty", "ribbon", 0, 10, 0, kSeed},
      {"ribbon_1_key", "ribbon", 1, 10, 0, 0},
      {"ribbon_3_keys", "ribbon", 3, 10, 0, kSeed},
      {"ribbon_51_keys", "ribbon", 51, 10, 0, kSeed},
      {"ribbon_51_keys_level_6", "ribbon", 51, 10, 0, kSeed, 6},
      {"ribbon_100_keys_base_28", "ribbon", 100, 9, 28, ~kSeed},
      {"ribbon_200_keys", "ribbon", 200, 10, 0, ~kSeed},
      {"ribbon_300_keys_5_bits", "ribbon", 300, 5, 0, kSeed},
  };
  return blocks;
}

std::string GoldenKey(size_t i) {
  std::string key(i, '\0');
  for (size_t j = 0; j < i; ++j) {
    key[j] = static_cast<char>((i + 31 * j + 128) % 256);
  }
  return key;
}

std::string BuildGoldenBlock(const GoldenBlock& golden) {
  const KindTraits& kind = *FindKind(golden.kind);
  if (golden.parameter == 0) {
    FilterBlockBuilder builder(kind, golden.bits_per_key, golden.seed,
                               golden.level);
    for (size_t i = 0; i < golden.num_keys; ++i) builder.AddKey(GoldenKey(i));
    return std::string(builder.Finish().view());
  }
  HashList hashes;
  for (size_t i = 0; i < golden.num_keys; ++i) {
    hashes.Append(KeyHash(GoldenKey(i), golden.seed));
  }
  Trailer trailer;
  trailer.seed = golden.seed;
  trailer.num_lines = LinesFor(golden.num_keys, golden.bits_per_key);
  trailer.num_keys = static_cast<uint32_t>(golden.num_keys);
  trailer.kind = kind.id;
  trailer.parameter = golden.parameter;
  trailer.level = golden.level;
  const size_t lines_bytes = kLineBytes * trailer.num_lines;
  std::string block(lines_bytes + kTrailerBytes, '\0');
  auto* out = reinterpret_cast<uint8_t*>(block.data());
  kind.build(hashes, trailer.parameter, kDefaultEffort, out, trailer.num_lines);
  EncodeTrailer(trailer, out + lines_bytes);
  return block;
}

std::string GoldenText(const GoldenBlock& golden, std::string_view block) {
  std::string text = absl::StrFormat(
      "# A filter block of kind %s: %d keys, %g bits per key, %s, seed "
      "0x%x%s.\n"
      "# Key i, from 0, is i bytes long; its byte j is (i + 31 * j + 128) mod "
      "256.\n"
      "# Written by: bazel run //tests/golden:golden_blocks_gen -- "
      "\"$PWD/tests/golden\"\n",
      golden.kind, golden.num_keys, golden.bits_per_key,
      golden.parameter == 0 ? "the parameter that the builder chooses"
                            : absl::StrFormat("parameter %d", golden.parameter),
      golden.seed,
      golden.level == kUnknownLevel
          ? ""
          : absl::StrFormat(", level %d", golden.level));
  for (size_t i = 0; i < block.size(); ++i) {
    // The trailer begins a line of its own.
    const bool last_of_line = i % 16 == 15 || i + 1 == block.size() ||
                              i + 1 + kTrailerBytes == block.size();
    absl::StrAppendFormat(&text, "%02x%c", static_cast<uint8_t>(block[i]),
                          last_of_line ? '\n' : ' ');
  }
  return text;
}

std::string ParseGoldenText(std::string_view text) {
  std::string block;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] == '#') continue;
    std::istringstream bytes(line);
    for (int byte; bytes >> std::hex >> byte;) {
      block.push_back(static_cast<char>(byte));
    }
  }
  return block;
}

std::string ReadGoldenBlock(const GoldenBlock& golden) {
  std::ostringstream text;
  text << std::ifstream(std::string("tests/golden/") + golden.name + ".hex")
              .rdbuf();
  return ParseGoldenText(text.str());
}

}  // namespace oneline
