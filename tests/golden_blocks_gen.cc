// Writes the pinned filter blocks, see golden_blocks.h:
//
//   golden_blocks_gen DIRECTORY

#include <cstdio>
#include <fstream>
#include <string>

#include "tests/golden_blocks.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 1;
  }
  for (const oneline::GoldenBlock& golden : oneline::GoldenBlocks()) {
    const std::string path = std::string(argv[1]) + "/" + golden.name + ".hex";
    std::ofstream file(path);
    file << oneline::GoldenText(golden, oneline::BuildGoldenBlock(golden));
    file.close();
    if (!file) {
      std::perror(path.c_str());
      return 1;
    }
  }
}
