// The key of a URL in the exact frontier: the first 16 bytes of its SHA-256. So
// all keys are short, however long the URLs are.
//
// Among n URLs two have the same digest with probability n^2 / 2^129: 10^-21
// for a billion. To construct one with the digest of another takes 2^128
// trials.

#ifndef ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_
#define ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_

#include <array>
#include <string_view>

namespace oneline {

using UrlDigest = std::array<char, 16>;

// `url` may be any bytes. Thread-safe.
UrlDigest DigestOf(std::string_view url);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_URL_DIGEST_H_
