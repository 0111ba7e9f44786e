#include "bench/urls/url_sets.h"

#include <openssl/evp.h>

#include <array>
#include <chrono>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "bench/measure/peak_memory.h"
#include "membership/filters/blocked_bloom_filter.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/counting_bloom_filter.h"

namespace oneline {
namespace {

constexpr double kFpRate = 0.01;

class StringSet final : public UrlSet {
 public:
  void Add(std::string_view url) override { urls_.emplace(url); }
  bool MayContain(std::string_view url) const override {
    return urls_.count(std::string(url)) != 0;
  }

 private:
  std::unordered_set<std::string> urls_;
};

using Md5 = std::array<uint8_t, 16>;
struct FirstBytes {
  size_t operator()(const Md5& sum) const {
    size_t hash;
    std::memcpy(&hash, sum.data(), sizeof(hash));
    return hash;
  }
};

class Md5Set final : public UrlSet {
 public:
  void Add(std::string_view url) override { sums_.insert(SumOf(url)); }
  bool MayContain(std::string_view url) const override {
    return sums_.count(SumOf(url)) != 0;
  }

 private:
  Md5 SumOf(std::string_view url) const {
    Md5 sum;
    EVP_DigestInit_ex(context_.get(), md5_.get(), nullptr);
    EVP_DigestUpdate(context_.get(), url.data(), url.size());
    EVP_DigestFinal_ex(context_.get(), sum.data(), nullptr);
    return sum;
  }

  // Kept, because finding it takes OpenSSL longer than a digest.
  const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> md5_{
      EVP_MD_fetch(nullptr, "MD5", nullptr), &EVP_MD_free};
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{
      EVP_MD_CTX_new(), &EVP_MD_CTX_free};
  std::unordered_set<Md5, FirstBytes> sums_;
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

template <typename Filter>
std::unique_ptr<UrlSet> SetOf(Filter filter) {
  return std::make_unique<FilterSet<Filter>>(std::move(filter));
}

std::unique_ptr<UrlSet> BitmapSet(uint64_t num_bits) {
  return SetOf(*BloomFilter::ForShape({num_bits, 1}));
}

// Returns the share of `urls` that is found. `ns` becomes the time of a lookup.
double Found(const UrlSet& set, const std::vector<std::string>& urls,
             double* ns) {
  const auto start = std::chrono::steady_clock::now();
  size_t found = 0;
  for (const std::string& url : urls) found += set.MayContain(url);
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  const auto n = static_cast<double>(urls.size());
  *ns = time.count() / n;
  return static_cast<double>(found) / n;
}

}  // namespace

const std::vector<UrlSetCandidate>& UrlSetCandidates() {
  static const auto& candidates = *new std::vector<UrlSetCandidate>{
      {"set of strings",
       [](uint64_t) { return std::make_unique<StringSet>(); }},
      {"set of MD5 sums", [](uint64_t) { return std::make_unique<Md5Set>(); }},
      {"bitmap, as large as Bloom",
       [](uint64_t n) {
         return BitmapSet(ShapeForKeys(n, kFpRate, 0)->num_positions);
       }},
      {"bitmap, 100 bits per URL",
       [](uint64_t n) { return BitmapSet(100 * n); }},
      {"Bloom, 1 %",
       [](uint64_t n) { return SetOf(*BloomFilter::ForKeys(n, kFpRate)); }},
      {"blocked Bloom, 1 %",
       [](uint64_t n) {
         return SetOf(*BlockedBloomFilter::ForKeys(n, kFpRate));
       }},
      {"counting Bloom, 1 %",
       [](uint64_t n) {
         return SetOf(*CountingBloomFilter::ForKeys(n, kFpRate));
       }},
  };
  return candidates;
}

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

UrlSetFigures MeasureUrlSet(const UrlSetCandidate& candidate,
                            const std::vector<std::string>& members,
                            const std::vector<std::string>& absent) {
  const auto n = static_cast<double>(members.size());
  UrlSetFigures figures;
  ResetPeakMemory();
  const std::unique_ptr<UrlSet> set = candidate.make(members.size());
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& url : members) set->Add(url);
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  figures.add_ns = time.count() / n;
  figures.bytes_per_url =
      static_cast<double>(PeakMemory() + set->mapped_bytes()) / n;
  figures.has_false_negative = Found(*set, members, &figures.present_ns) < 1;
  figures.false_positives = Found(*set, absent, &figures.absent_ns);
  return figures;
}

}  // namespace oneline
