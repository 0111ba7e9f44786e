// What the exact store knows a URL by: the first 16 bytes of its SHA-256. All
// URLs are then as short as each other, however long they are, and more than
// twice as many fit in memory.
//
// Two different ones of n URLs agree with probability n^2 / 2^129: for a
// billion of them 10^-21, by far less than that of an error of memory or disk.
// Nobody can make a URL that agrees with another one's, for that takes 2^128
// trials.

#ifndef ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_
#define ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_

#include <array>
#include <string_view>

namespace oneline {

using UrlDigest = std::array<char, 16>;

// Of any bytes. Thread-safe.
UrlDigest DigestOf(std::string_view url);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_
