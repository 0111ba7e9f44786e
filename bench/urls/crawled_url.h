// URLs as a crawler finds them, made up from numbers.

#ifndef ONELINE_BENCH_URLS_CRAWLED_URL_H_
#define ONELINE_BENCH_URLS_CRAWLED_URL_H_

#include <cstdint>
#include <string>

namespace oneline {

// A URL of 60 to 80 bytes, which contains `number`; some ten have the same
// host.
std::string CrawledUrl(uint64_t number);

// The host of a URL that begins with https://.
std::string HostOfUrl(const std::string& url);

}  // namespace oneline

#endif  // ONELINE_BENCH_URLS_CRAWLED_URL_H_
