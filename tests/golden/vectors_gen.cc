// Writes the vectors anew, see remade_vectors.h: vectors_gen FILE

#include <cstdio>
#include <fstream>

#include "tests/golden/remade_vectors.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 1;
  }
  const std::string text = oneline::RemadeVectors();
  std::ofstream file(argv[1]);
  file << text;
  file.close();
  if (!file) std::perror(argv[1]);
  return file ? 0 : 1;
}
