// Tests of membership/urls/url_digest.h.

#include "membership/urls/url_digest.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/escaping.h"

namespace oneline {
namespace {

std::string Hex(std::string_view url) {
  const UrlDigest digest = DigestOf(url);
  return absl::BytesToHexString(std::string(digest.data(), digest.size()));
}

// FIPS 180-2's examples, cut to 16 bytes.
TEST(UrlDigestTest, IsTheBeginningOfSha256) {
  EXPECT_EQ(Hex("abc"), "ba7816bf8f01cfea414140de5dae2223");
  EXPECT_EQ(Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039");
  EXPECT_EQ(Hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67");
  EXPECT_EQ(Hex(""), "e3b0c44298fc1c149afbf4c8996fb924");
}

TEST(UrlDigestTest, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 10000; ++i) {
        ASSERT_EQ(Hex("abc"), "ba7816bf8f01cfea414140de5dae2223");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace oneline
