// Ways to remember which URLs were seen: how many bytes each takes per URL, how
// long its operations take, and how many new URLs it loses.

#ifndef ONELINE_BENCH_URLS_URL_SETS_H_
#define ONELINE_BENCH_URLS_URL_SETS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oneline {

class UrlSet {
 public:
  virtual ~UrlSet() = default;
  virtual void Add(std::string_view url) = 0;
  virtual bool MayContain(std::string_view url) const = 0;
  // Memory that is not allocated by operator new.
  virtual size_t mapped_bytes() const { return 0; }
};

struct UrlSetCandidate {
  const char* name;
  // Makes an empty set for `num_urls` URLs.
  std::function<std::unique_ptr<UrlSet>(uint64_t num_urls)> make;
};

// Sets of strings and of MD5 sums; bitmaps with one hash, one as large as a
// Bloom filter at 1 % and one as large as a rate of 1 % needs; and the filters
// at 1 %.
const std::vector<UrlSetCandidate>& UrlSetCandidates();

// `num_urls` different URLs, which also differ from those of another seed.
std::vector<std::string> MakeUrls(uint64_t num_urls, uint64_t seed);

struct UrlSetFigures {
  double bytes_per_url;
  double add_ns;            // per URL added
  double present_ns;        // per lookup of a URL that was added
  double absent_ns;         // per lookup of another one
  double false_positives;   // the share of the others that is found
  bool has_false_negative;  // whether a URL that was added is not found
};
// Adds `members` and looks up both. Not thread-safe (peak_memory.h).
UrlSetFigures MeasureUrlSet(const UrlSetCandidate& candidate,
                            const std::vector<std::string>& members,
                            const std::vector<std::string>& absent);

}  // namespace oneline

#endif  // ONELINE_BENCH_URLS_URL_SETS_H_
