// The form by which URLs are compared, so that those which differ only in what
// makes no difference count as one:
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
// normal form. So is what the standard does not allow, spaces or bytes of
// other character sets, wherever it stands: nobody's URL is refused.

#ifndef ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_
#define ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_

#include <string>
#include <string_view>

namespace oneline {

// The normal form of `url`, any bytes. It is a part of `url` where that will
// do, else what `buffer` then holds. NormalUrl of a normal form is the same.
std::string_view NormalUrl(std::string_view url, std::string& buffer);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_NORMAL_URL_H_
