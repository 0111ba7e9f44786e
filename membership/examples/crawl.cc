// A crawler with a UrlFrontier. Instead of the network it has a made-up web of
// five pages, whose links repeat each other in several spellings.
//
//   crawl                 remembers URLs in memory, and visits all pages
//   crawl FOLDER PAGES    remembers them in a database: visits PAGES pages, and
//                         goes on from there in the next run

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "membership/urls/approximate_frontier.h"
#include "membership/urls/exact_frontier.h"
#include "membership/urls/url_frontier.h"

namespace oneline {
namespace {

constexpr uint64_t kExpectedUrls = 4;

using Links = std::vector<std::string_view>;

// The links of a page.
const Links& LinksOf(const std::string& url) {
  static const auto& web = *new std::map<std::string, Links>{
      {"http://example.com/",
       {"http://example.com/news", "http://example.com/about",
        "HTTP://Example.com:80/news#today"}},
      {"http://example.com/news",
       {"http://example.com", "http://example.com/news/1",
        "http://example.com/news/2"}},
      {"http://example.com/about",
       {"http://example.com/", "http://example.com/about#team"}},
      {"http://example.com/news/1", {"http://example.com/news/2"}},
      {"http://example.com/news/2", {"http://example.com/news/1"}}};
  return web.at(url);
}

absl::StatusOr<std::unique_ptr<UrlFrontier>> OpenFrontier(const char* folder) {
  if (folder != nullptr) {
    ExactFrontierOptions options;
    options.path = folder;
    options.normalize = true;
    return ExactFrontier::Open(options);
  }
  ApproximateFrontierOptions options;
  options.capacity = kExpectedUrls;
  options.fp_rate = 1e-9;
  options.normalize = true;
  return ApproximateFrontier::Open(options);
}

absl::Status Visit(const std::string& url, UrlFrontier& frontier) {
  const Links& links = LinksOf(url);
  const auto is_new = std::make_unique<bool[]>(links.size());
  const absl::Status status =
      frontier.Push(links.data(), links.size(), is_new.get());
  std::printf("%s\n", url.c_str());
  for (size_t i = 0; i < links.size(); ++i) {
    std::printf("  %s %.*s\n", is_new[i] ? "new " : "seen",
                static_cast<int>(links[i].size()), links[i].data());
  }
  return status;
}

absl::Status Crawl(const char* folder, int max_pages) {
  auto opened = OpenFrontier(folder);
  if (!opened.ok()) return opened.status();
  UrlFrontier& frontier = **opened;
  frontier.WarnPast(kExpectedUrls, [](uint64_t num_seen) {
    std::printf("warning: %d URLs were seen, %d were expected\n",
                static_cast<int>(num_seen), static_cast<int>(kExpectedUrls));
  });
  absl::Status status = frontier.Push("http://example.com/").status();
  for (int page = 0; status.ok() && page < max_pages; ++page) {
    const auto url = frontier.Pop();
    if (!url.ok()) return url.status();
    if (!url->has_value()) break;
    status = Visit(**url, frontier);
    // From here on a crash of the machine loses nothing of this page.
    if (status.ok()) status = frontier.Sync();
  }
  std::printf("%d URLs seen, %d still to be visited\n",
              static_cast<int>(frontier.NumSeen()),
              static_cast<int>(frontier.Size()));
  return status;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  if (argc != 1 && argc != 3) {
    std::fprintf(stderr, "usage: crawl [FOLDER PAGES]\n");
    return 2;
  }
  const absl::Status status = argc == 1
                                  ? oneline::Crawl(nullptr, 100)
                                  : oneline::Crawl(argv[1], std::atoi(argv[2]));
  if (status.ok()) return 0;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  return 1;
}
