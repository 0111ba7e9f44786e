// The normal form of URLs, by which they are compared: URLs that differ only in
// ways that make no difference to a server count as one.
//
//   HTTP://User@Example.COM:80?q#top
//   http://User@example.com/?q
//
//   part                    normal form             RFC 3986
//   scheme and host         lower case, ASCII only  6.2.2.1
//   port                    none if it is empty     6.2.3
//                           or the scheme's own
//   path                    "/" if it is empty      6.2.3
//   fragment                none                    3.5
//   user, path and query    as they are
//
// A URL is whatever begins with a scheme and "://"; anything else is its own
// normal form. Bytes that the standard does not allow stay as they are.

#ifndef ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_
#define ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_

#include <string>
#include <string_view>

namespace oneline {

// The normal form of `url`, which may be any bytes: `url`, or the new contents
// of `buffer`. The normal form of a normal form is the same. Thread-safe.
std::string_view NormalUrl(std::string_view url, std::string& buffer);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_
