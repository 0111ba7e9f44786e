// Prints URLs as a crawler finds them, one per line, half of them duplicates:
//
//   crawled_urls LINES
//
// Half of the lines, rounded up, are different URLs. Each of the others repeats
// a random one of those before it. The same LINES always give the same output.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>

namespace oneline {
namespace {

// URL `number` of a crawl: 74 bytes on average.
std::string CrawledUrl(uint64_t number) {
  static constexpr const char* kWords[] = {
      "garden", "travel", "history", "science", "recipe", "weather",
      "review", "market", "camera",  "library", "museum", "football"};
  std::mt19937_64::result_type bits = number * 0x9e3779b97f4a7c15;
  const auto take = [&bits](uint64_t n) {
    bits ^= bits >> 29;
    const uint64_t taken = bits % n;
    bits = bits / n * 0xbf58476d1ce4e5b9;
    return taken;
  };
  const auto word = [&take] { return kWords[take(std::size(kWords))]; };
  // Not among the arguments below, whose order of evaluation is not fixed.
  const char* const words[] = {word(), word(), word(), word()};
  const uint64_t site = take(100000), year = 2001 + take(20);
  char url[128];
  std::snprintf(url, sizeof(url),
                "https://www.%s%05" PRIu64 ".example/%s/%" PRIu64
                "/%s-%s-%08" PRIu64 ".html",
                words[0], site, words[1], year, words[2], words[3], number);
  return url;
}

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
