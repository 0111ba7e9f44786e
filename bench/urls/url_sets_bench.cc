// `make measure-urls`: ways to remember which URLs were seen: a set of strings,
// and the filters at 1 %. Measures
//
//   add                a URL, from an empty set to a full one
//   seen, new          a lookup of a URL that was added, of another
//   bytes/URL          in memory, at the peak
//   new lost%          of the new ones, those that are found
//
// Usage: bench/urls/urls.sh [URLS]
//   URLS   how many are added, and as many others looked up; default 2000000

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bench/measure/peak_memory.h"
#include "membership/filters/blocked_bloom_filter.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/counting_bloom_filter.h"

namespace oneline {
namespace {

constexpr double kFpRate = 0.01;

class UrlSet {
 public:
  virtual ~UrlSet() = default;
  virtual void Add(std::string_view url) = 0;
  virtual bool MayContain(std::string_view url) const = 0;
  // Memory that is not allocated by operator new.
  virtual size_t mapped_bytes() const { return 0; }
};

class StringSet final : public UrlSet {
 public:
  void Add(std::string_view url) override { urls_.emplace(url); }
  bool MayContain(std::string_view url) const override {
    return urls_.count(std::string(url)) != 0;
  }

 private:
  std::unordered_set<std::string> urls_;
};

// Any filter of membership/filters/.
template <typename Filter>
class FilterSet final : public UrlSet {
 public:
  explicit FilterSet(Filter filter) : filter_(std::move(filter)) {}
  void Add(std::string_view url) override { filter_.Add(url); }
  bool MayContain(std::string_view url) const override {
    return filter_.MayContain(url);
  }
  size_t mapped_bytes() const override { return filter_.num_bytes(); }

 private:
  Filter filter_;
};

using NewSet = std::function<std::unique_ptr<UrlSet>(uint64_t num_urls)>;

template <typename Filter>
NewSet AtRate() {
  return [](uint64_t n) {
    return std::make_unique<FilterSet<Filter>>(*Filter::ForKeys(n, kFpRate));
  };
}

// Different URLs, which also differ from those of another seed.
std::vector<std::string> MakeUrls(uint64_t num_urls, uint64_t seed) {
  std::vector<std::string> urls;
  urls.reserve(num_urls);
  for (uint64_t i = 0; i < num_urls; ++i) {
    urls.push_back("http://www.site" + std::to_string(i % 9973) +
                   ".example/catalogue/" + std::to_string(seed) + "/page-" +
                   std::to_string(i) + ".html");
  }
  return urls;
}

struct Urls {
  std::vector<std::string> members, others;
};

void Add(benchmark::State& state, const NewSet& make, const Urls& urls) {
  const size_t n = urls.members.size();
  size_t bytes = 0;
  while (state.KeepRunningBatch(static_cast<int64_t>(n))) {
    ResetPeakMemory();
    std::unique_ptr<UrlSet> set = make(n);
    for (const std::string& url : urls.members) set->Add(url);
    state.PauseTiming();
    bytes = PeakMemory() + set->mapped_bytes();
    set.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes/URL"] =
      static_cast<double>(bytes) / static_cast<double>(n);
}

// `kept` has the set, if it was made before.
void LookUp(benchmark::State& state, const NewSet& make, const Urls& urls,
            bool seen, std::unique_ptr<UrlSet>* kept) {
  if (*kept == nullptr) {
    *kept = make(urls.members.size());
    for (const std::string& url : urls.members) (*kept)->Add(url);
  }
  const UrlSet& set = **kept;
  const std::vector<std::string>& asked = seen ? urls.members : urls.others;
  const auto n = static_cast<double>(asked.size());
  uint64_t found = 0;
  while (state.KeepRunningBatch(static_cast<int64_t>(asked.size()))) {
    found = 0;
    for (const std::string& url : asked) found += set.MayContain(url);
  }
  state.SetItemsProcessed(state.iterations());
  if (!seen) state.counters["new lost%"] = 100 * static_cast<double>(found) / n;
  if (seen && found < asked.size()) state.SkipWithError("a URL was lost");
}

void Register(const std::string& name, const NewSet& make, const Urls* urls) {
  auto* const kept = new std::unique_ptr<UrlSet>;
  const std::string rest =
      "/" + std::to_string(urls->members.size()) + " URLs/" + name;
  using benchmark::State;
  benchmark::RegisterBenchmark(("add" + rest).c_str(),
                               [=](State& s) { Add(s, make, *urls); });
  for (const bool seen : {true, false}) {
    benchmark::RegisterBenchmark(
        ((seen ? "seen" : "new") + rest).c_str(),
        [=](State& s) { LookUp(s, make, *urls, seen, kept); });
  }
}

void RegisterAll(const Urls* urls) {
  Register(
      "set of strings", [](uint64_t) { return std::make_unique<StringSet>(); },
      urls);
  Register("Bloom, 1 %", AtRate<BloomFilter>(), urls);
  Register("blocked Bloom, 1 %", AtRate<BlockedBloomFilter>(), urls);
  Register("counting Bloom, 1 %", AtRate<CountingBloomFilter>(), urls);
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  char* end = nullptr;
  const uint64_t n = argc == 2 ? std::strtoull(argv[1], &end, 10) : 2000000;
  if (argc > 2 || n == 0 || (end != nullptr && *end != '\0')) {
    std::fprintf(stderr, "usage: url_sets_bench [--benchmark_...] [URLS]\n");
    return 2;
  }
  const oneline::Urls urls = {oneline::MakeUrls(n, 1), oneline::MakeUrls(n, 2)};
  oneline::RegisterAll(&urls);
  benchmark::RunSpecifiedBenchmarks();
}
