#include "membership/urls/normal_url.h"

#include "tests/testing.h"

namespace oneline {
namespace {

std::string Normal(const std::string& url) {
  std::string buffer = "what was in it before";
  return std::string(NormalUrl(url, buffer));
}

TEST(NormalUrlTest, OfUrls) {
  const char* const kUrls[][2] = {
      {"HTTP://EXAMPLE.com/", "http://example.com/"},
      // Case matters in users, paths and queries.
      {"http://User:Pass@H/", "http://User:Pass@h/"},
      {"http://A@B@C/", "http://A@B@c/"},
      // Bytes above 127 are not letters here.
      {"http://\xc3\x84X.de/", "http://\xc3\x84x.de/"},
      // Default ports, and none.
      {"http://h:80/", "http://h/"},
      {"HTTPS://h:443/", "https://h/"},
      {"ftp://h:21/", "ftp://h/"},
      {"wss://h:443/", "wss://h/"},
      {"http://h:/", "http://h/"},
      {"http://[::1]:80/", "http://[::1]/"},
      {"http://[2001:DB8::80]/", "http://[2001:db8::80]/"},
      // What has a zone stays as it is.
      {"HTTP://[FE80::1%25Eth0]:80", "http://[FE80::1%25Eth0]:80/"},
      {"http://[::FFFF:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"},
      // Empty paths. Any other stays, with or without a slash at its end.
      {"http://h", "http://h/"},
      {"http://h?q", "http://h/?q"},
      {"file://", "file:///"},
      // Fragments.
      {"http://h/a#b", "http://h/a"},
      {"http://h/a?b#c?d#e", "http://h/a?b"},
      {"http://h#x", "http://h/"},
      {"http://h#x@y:80/", "http://h/"},
      {"HTTP://User@EXAMPLE.com:80#x", "http://User@example.com/"},
  };
  for (const auto& [url, normal] : kUrls) EXPECT_EQ(Normal(url), normal);
}

TEST(NormalUrlTest, WhatStaysAsItIs) {
  for (const char* line :
       {// Digits that are not a port, or not that of the scheme.
        "http://h:443/", "https://h:80/", "gopher://h:80/", "http://h:8080/",
        "http://h:080/", "http://h/:80/", "http://u:80@h/", "http://[::80]/",
        "http://[::1:80/", "http://h:80:80/", "http://h:80x/", "http://h::80/",
        "httpx://h:80/",
        // No URLs.
        "", "#", "A#b", "//H/", "/A#b", "://H", "1HTTP://H", "HTTP:/H#x",
        "HTTP:", "HTTP", "MAILTO:A@B.C#x", "Example.COM:80#x", "A B://C#d",
        "see HTTP://H#x"}) {
    EXPECT_EQ(Normal(line), line);
  }
}

// On random strings of meaningful pieces: the normal form of a normal form is
// the same, and a fragment or another case of the scheme does not change it.
TEST(NormalUrlTest, TheNormalFormIsItsOwnNormalForm) {
  std::mt19937_64 random = TestRandom();
  const std::string pieces[] = {"http", "WS",   "://",  ":",      "/", "@",
                                "[",    "]",    "80",   "443",    "?", "#",
                                "A",    "b",    "\xff", "%C",     " ", ".",
                                "//",   ":80:", "",     "[::A%B]"};
  for (int i = 0; i < (kSlow ? 20000 : 200000); ++i) {
    std::string rest;
    for (uint64_t n = random() % 8; n > 0; --n) {
      rest += pieces[random() % std::size(pieces)];
    }
    const std::string normal = Normal(rest);
    ASSERT_EQ(Normal(normal), normal) << rest;
    const std::string url = Normal("http://" + rest);
    ASSERT_EQ(Normal(url), url) << rest;
    ASSERT_EQ(Normal("hTTp://" + rest), url);
    ASSERT_EQ(Normal("http://" + rest + "#A"), url);
    ASSERT_EQ(url.find('#'), std::string::npos);
  }
}

}  // namespace
}  // namespace oneline
