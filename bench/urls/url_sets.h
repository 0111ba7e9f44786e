// Ways to remember which URLs were seen, side by side: what they take for each
// URL, how long they take, and how many new URLs they lose.

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
  // Memory that does not come from operator new.
  virtual size_t mapped_bytes() const { return 0; }
};

struct UrlSetCandidate {
  const char* name;
  // An empty set, made for so many URLs.
  std::function<std::unique_ptr<UrlSet>(uint64_t num_urls)> make;
};

// Sets of strings and of MD5 sums; bitmaps with one hash, as large as a Bloom
// filter of 1 % and as large as 1 % takes; and the filters, each of 1 %.
const std::vector<UrlSetCandidate>& UrlSetCandidates();

// URLs that differ, also from those of another seed.
std::vector<std::string> MakeUrls(uint64_t num_urls, uint64_t seed);

struct UrlSetFigures {
  double bytes_per_url;
  double add_ns;      // for each URL that is added,
  double present_ns;  // each lookup of one that is there,
  double absent_ns;   // and of one that is not
  double error_rate;  // the share of those that are taken for present
  bool lost_one;      // a false negative: never
};
UrlSetFigures MeasureUrlSet(const UrlSetCandidate& candidate,
                            const std::vector<std::string>& members,
                            const std::vector<std::string>& absent);

}  // namespace oneline

#endif  // ONELINE_BENCH_URLS_URL_SETS_H_
