// A counting filter of the last 10,000 requests of a server, which enter it and
// leave it again: what counters of 4, 8 and 16 bits take, and how many answers
// are wrong, beside a Bloom filter, which keeps everything.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "membership/filters/counting_bloom_filter.h"

namespace oneline {
namespace {

constexpr size_t kRequests = 500000;
constexpr size_t kLast = 10000;
constexpr uint64_t kLastPages = 5000;  // about as many different ones
constexpr int kPages = 100000;
constexpr double kFpRate = 0.01;

std::string Page(int number) { return "/page/" + std::to_string(number); }

// Page n is requested with a probability of about 1 / n: the first one every
// seventeenth time.
std::vector<int> Requests() {
  std::mt19937_64 random(1);
  std::vector<int> pages(kRequests);
  for (int& page : pages) {
    page = static_cast<int>(
        std::pow(kPages, static_cast<double>(random() >> 11) * 0x1p-53));
  }
  return pages;
}

void Run(const std::string& name, CountingBloomFilter filter, bool removes,
         size_t bytes) {
  const std::vector<int> requests = Requests();
  for (size_t i = 0; i < kRequests; ++i) {
    filter.Add(Page(requests[i]));
    if (removes && i >= kLast) filter.Remove(Page(requests[i - kLast]));
  }
  size_t false_negatives = 0, false_positives = 0;
  const std::set<int> last(requests.end() - kLast, requests.end());
  for (int page = 1; page < kPages; ++page) {
    const bool found = filter.MayContain(Page(page));
    const bool expected = last.count(page) != 0;
    false_negatives += expected && !found;
    false_positives += found && !expected;
  }
  std::printf("%-17s%8zu%15zu%17zu%15.2f %%\n", name.c_str(), bytes,
              removes ? static_cast<size_t>(filter.num_full()) : 0,
              false_negatives,
              100.0 * static_cast<double>(false_positives) /
                  static_cast<double>(kPages - last.size()));
}

}  // namespace
}  // namespace oneline

int main() {
  std::printf("%-17s%8s%15s%17s%17s\n", "filter", "bytes", "full counters",
              "false negatives", "false positives");
  // A counting filter without removals answers as a Bloom filter.
  for (int bits : {4, 8, 16, 1}) {
    const bool counts = bits > 1;
    auto filter = *oneline::CountingBloomFilter::ForKeys(
        oneline::kLastPages, oneline::kFpRate, counts ? bits : 4);
    const size_t bytes =
        counts ? filter.num_bytes() : (filter.shape().num_positions + 7) / 8;
    oneline::Run(counts ? std::to_string(bits) + "-bit counters" : "Bloom",
                 std::move(filter), counts, bytes);
  }
}
