// Writes the pinned filter blocks, see golden_blocks.h and test_vectors.h:
//
//   golden_blocks_gen DIRECTORY

#include <cstdio>
#include <fstream>
#include <string>

#include "tests/golden/golden_blocks.h"
#include "tests/golden/test_vectors.h"

namespace {

// False, with a message, if it can't be written.
bool Write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) std::perror(path.c_str());
  return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 1;
  }
  const std::string directory = std::string(argv[1]) + "/";
  for (const oneline::GoldenBlock& golden : oneline::GoldenBlocks()) {
    if (!Write(
            directory + golden.name + ".hex",
            oneline::GoldenText(golden, oneline::BuildGoldenBlock(golden)))) {
      return 1;
    }
  }
  const bool written =
      Write(directory + "vectors.txt", oneline::TestVectors()) &&
      Write(directory + "short_vectors.txt", oneline::ShortTestVectors());
  return written ? 0 : 1;
}
