// A crawl over a frontier (url_frontier.h): the crawler fetches a URL of the
// queue of a random host, puts it back, and puts the links of the page, of
// which half are known. Prints lines `case <tab> filter <tab> quantity <tab>
// value`. One filter for each run of the program, so that memory is its own:
//
//   frontier_bench --filter=oneline:10 [--cache_mb=256] [--cache_shard_bits=2]
//     [--urls=12000000] [--minutes=5]

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/databases/database_filters.h"
#include "bench/frontier/url_frontier.h"
#include "bench/measure/clocks.h"
#include "bench/measure/measuring_program.h"
#include "bench/urls/crawled_url.h"

ABSL_FLAG(std::string, filter, "oneline:10",
          "the filter policy, as in an OPTIONS file");
ABSL_FLAG(std::string, name, "", "of the filter in the results");
ABSL_FLAG(unsigned, cache_mb, 0, "that hold filters; 0: these are in memory");
ABSL_FLAG(int, cache_shard_bits, -1,
          "it has two to this power of shards; -1: as RocksDB decides");
ABSL_FLAG(unsigned, memtable_mb, 512, "of each column family");
ABSL_FLAG(uint64_t, urls, 12000000, "until so many are known");
ABSL_FLAG(unsigned, minutes, 0, "ends then even if there are fewer; 0: never");

namespace oneline {
namespace {

constexpr size_t kLinks = 20;  // of a page
constexpr uint64_t kStart = 1700000000;
constexpr uint64_t kDay = 86400;

struct Crawled {
  uint64_t put = 0, known = 0;  // URLs
};

Crawled Crawl(UrlFrontier* frontier) {
  std::mt19937_64 random(1);
  const Stopwatch stopwatch(CLOCK_PROCESS_CPUTIME_ID);
  const unsigned minutes = absl::GetFlag(FLAGS_minutes);
  uint64_t put = 0, seen = 0, now = kStart;
  while (seen < absl::GetFlag(FLAGS_urls)) {
    if (minutes > 0 && stopwatch.Elapsed().wall_seconds >= 60 * minutes) break;
    std::vector<std::string> links;
    const uint64_t known = seen;
    while (links.size() < kLinks) {
      const bool is_known = known > 0 && links.size() % 2 == 1;
      links.push_back(CrawledUrl(is_known ? random() % known : seen++));
    }
    put += links.size();
    const size_t added = frontier->PutDiscovered(links, now);
    if (added != seen - known) {
      std::fprintf(stderr, "error: %zu new URLs instead of %llu\n", added,
                   static_cast<unsigned long long>(seen - known));
      std::_Exit(1);
    }
    ++now;
    const std::string url =
        frontier->Next(HostOfUrl(CrawledUrl(random() % seen)), now);
    if (url.empty()) continue;
    frontier->PutFetched(url, now + kDay);
    ++put;
  }
  return {put, seen};
}

double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  return kilobytes / 1024;
}

std::string Where() {
  const unsigned cache = absl::GetFlag(FLAGS_cache_mb);
  if (cache == 0) return "in memory";
  const int bits = absl::GetFlag(FLAGS_cache_shard_bits);
  return absl::StrCat("in a cache of ", cache, " MB",
                      bits < 0 ? "" : absl::StrCat(", shards ", 1 << bits));
}

void Print(const char* quantity, double value) {
  const std::string name = absl::GetFlag(FLAGS_name);
  absl::PrintF("%s\t%s\t%s\t%.4g\n", Where(),
               name.empty() ? absl::GetFlag(FLAGS_filter) : name, quantity,
               value);
}

absl::Status Run(const std::string& directory) {
  UrlFrontier frontier(directory + "/frontier",
                       *MakePolicy({"", absl::GetFlag(FLAGS_filter)}),
                       size_t{absl::GetFlag(FLAGS_cache_mb)} << 20,
                       absl::GetFlag(FLAGS_cache_shard_bits),
                       size_t{absl::GetFlag(FLAGS_memtable_mb)} << 20);
  const Stopwatch stopwatch(CLOCK_PROCESS_CPUTIME_ID);
  const Crawled crawled = Crawl(&frontier);
  const ElapsedTime took = stopwatch.Elapsed();
  const UrlFrontier::Sizes sizes = frontier.SizesOfTables();
  const auto count = [&](rocksdb::Tickers ticker) {
    return static_cast<double>(frontier.Count(ticker));
  };
  if (count(rocksdb::BLOOM_FILTER_USEFUL) == 0) {
    return absl::InternalError("the filters were not used");
  }
  const auto urls = static_cast<double>(crawled.put);
  const auto megabytes = [](uint64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
  };
  Print("million URLs known", static_cast<double>(crawled.known) / 1e6);
  Print("URLs/s", urls / took.wall_seconds);
  Print("processor us per URL", 1e6 * took.cpu_seconds / urls);
  Print("MB of filters put into the cache",
        count(rocksdb::BLOCK_CACHE_FILTER_BYTES_INSERT) / 1e6);
  Print("MB of indexes put into the cache",
        count(rocksdb::BLOCK_CACHE_INDEX_BYTES_INSERT) / 1e6);
  Print("false positives in 1000 URLs",
        1000 *
            (count(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
             count(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE)) /
            urls);
  Print("MB of filters", megabytes(sizes.filters));
  Print("MB of indexes", megabytes(sizes.indexes));
  Print("MB of the largest index", megabytes(sizes.largest_index));
  Print("peak MB of memory", PeakMegabytes());
  return absl::OkStatus();
}

std::string FlagError() {
  if (absl::GetFlag(FLAGS_urls) < 1000) return "--urls: 1000 or more";
  const int bits = absl::GetFlag(FLAGS_cache_shard_bits);
  if (bits < -1 || bits > 19) return "--cache_shard_bits: -1 to 19";
  if (absl::GetFlag(FLAGS_memtable_mb) == 0) return "--memtable_mb: 1 or more";
  const auto policy = MakePolicy({"", absl::GetFlag(FLAGS_filter)});
  if (!policy.ok()) return std::string(policy.status().message());
  return *policy == nullptr ? "--filter must be a filter policy" : "";
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Measures the filters of a crawler's frontier.", "oneline-frontier",
       oneline::FlagError, oneline::Run},
      argc, argv);
}
