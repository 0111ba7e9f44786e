// Filter blocks whose bytes are pinned in tests/golden/: an encoder that gives
// other bytes has changed the format, and databases on disk are unreadable.
//
//   bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
//
// writes the files anew, which is right only when a block is added here.

#ifndef ONELINE_TESTS_GOLDEN_GOLDEN_BLOCKS_H_
#define ONELINE_TESTS_GOLDEN_GOLDEN_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "table/block/filter_block.h"

namespace oneline {

struct GoldenBlock {
  const char* name;  // of its file, name.hex
  const char* kind;
  size_t num_keys;
  double bits_per_key;
  // The kind's parameter; 0 for the one that the builder chooses. If it is
  // given, the trailer does not say how many bits per key were asked for.
  uint8_t parameter;
  uint64_t seed;
  uint8_t level = kUnknownLevel;
};

const std::vector<GoldenBlock>& GoldenBlocks();

// Key i is i bytes long; its byte j is (i + 31 * j + 128) mod 256: the empty
// key and bytes that are negative as signed characters are among them.
std::string GoldenKey(size_t i);

// The block as today's code builds it.
std::string BuildGoldenBlock(const GoldenBlock& golden);

// The text of the block's file, and the bytes that such a text stands for.
std::string GoldenText(const GoldenBlock& golden, std::string_view block);
std::string ParseGoldenText(std::string_view text);

// The pinned bytes, from the file; none if there is no such file.
std::string ReadGoldenBlock(const GoldenBlock& golden);

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_GOLDEN_BLOCKS_H_
