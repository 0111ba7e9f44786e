// Prints URLs as a crawler finds them, one per line, half of them duplicates:
//
//   crawled_urls LINES
//
// Half of the lines, rounded up, are different URLs. Each of the others repeats
// a random one of those before it. The same LINES always give the same output.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "bench/urls/crawled_url.h"

namespace oneline {
namespace {

int Run(uint64_t num_lines) {
  std::mt19937_64 random(1);
  uint64_t different = 0;
  const uint64_t all_different = num_lines - num_lines / 2;
  for (uint64_t line = 0; line < num_lines; ++line) {
    // With these probabilities all different URLs are printed, and every order
    // of new ones and duplicates is equally likely.
    const uint64_t left = all_different - different;
    const bool is_new = different == 0 || random() % (num_lines - line) < left;
    std::puts(CrawledUrl(is_new ? different++ : random() % different).c_str());
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  char* end = nullptr;
  const uint64_t num_lines = argc == 2 ? std::strtoull(argv[1], &end, 10) : 0;
  if (num_lines == 0 || *end != '\0') {
    std::fprintf(stderr, "usage: crawled_urls LINES\n");
    return 2;
  }
  return oneline::Run(num_lines);
}
