#include "bench/urls/crawled_url.h"

#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <random>

namespace oneline {

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

std::string HostOfUrl(const std::string& url) {
  const size_t begin = url.find("//") + 2;
  return url.substr(begin, url.find('/', begin) - begin);
}

}  // namespace oneline
