#include "membership/urls/url_digest.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"

namespace oneline {
namespace {

// FIPS 180-2's examples, cut to 16 bytes, on several threads at once.
TEST(UrlDigestTest, IsTheBeginningOfSha256) {
  const std::pair<std::string, const char*> kExamples[] = {
      {"abc", "ba7816bf8f01cfea414140de5dae2223"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039"},
      {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67"},
      {"", "e3b0c44298fc1c149afbf4c8996fb924"},
  };
  std::vector<std::thread> threads;
  for (const auto& [url, hex] : kExamples) {
    threads.emplace_back([&url = url, &hex = hex] {
      for (int i = 0; i < (url.size() > 100 ? 1 : 10000); ++i) {
        const UrlDigest digest = DigestOf(url);
        ASSERT_EQ(absl::BytesToHexString({digest.data(), digest.size()}), hex);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace oneline
