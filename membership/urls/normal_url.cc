#include "membership/urls/normal_url.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"

namespace oneline {
namespace {

// The length of the scheme before "://"; 0 if there is none.
size_t SchemeLength(std::string_view url) {
  if (url.empty() || !absl::ascii_isalpha(url[0])) return 0;
  size_t n = 1;
  while (n < url.size() && (absl::ascii_isalnum(url[n]) || url[n] == '+' ||
                            url[n] == '-' || url[n] == '.')) {
    ++n;
  }
  return url.substr(n, 3) == "://" ? n : 0;
}

// Whether a port, which begins with a colon, can be left out. These are the
// five schemes with a port of the URL Standard (WHATWG, 3.2).
bool IsDefaultPort(std::string_view scheme, std::string_view port) {
  constexpr std::pair<std::string_view, std::string_view> kPorts[] = {
      {"http", ":80"},
      {"ws", ":80"},
      {"https", ":443"},
      {"wss", ":443"},
      {"ftp", ":21"}};
  return port == ":" || std::find(std::begin(kPorts), std::end(kPorts),
                                  std::pair(scheme, port)) != std::end(kPorts);
}

void AppendLower(std::string_view s, std::string& out) {
  for (char c : s) out.push_back(absl::ascii_tolower(c));
}

// Appends "host:port". Only digits may follow the colon, else there is no port:
// so the removal of a port never leaves another one.
void AppendHost(std::string_view scheme, std::string_view host,
                std::string& out) {
  // An IPv6 address, "[::1]:80". It may have a zone (RFC 6874), in which case
  // matters: "[fe80::1%25Eth0]".
  const bool is_literal = !host.empty() && host[0] == '[';
  const size_t end = is_literal ? host.find(']') : 0;
  if (is_literal && (end == host.npos || host.find('%') < end)) {
    out.append(host);
    return;
  }
  const size_t colon = std::min(host.find(':', end), host.size());
  std::string_view port = host.substr(colon);
  if (!port.empty() &&
      !std::all_of(port.begin() + 1, port.end(), absl::ascii_isdigit)) {
    out.append(host);
    return;
  }
  if (IsDefaultPort(scheme, port)) port = {};
  AppendLower(host.substr(0, colon), out);
  out.append(port);
}

}  // namespace

std::string_view NormalUrl(std::string_view url, std::string& buffer) {
  const size_t scheme_length = SchemeLength(url);
  if (scheme_length == 0) return url;
  url = url.substr(0, url.find('#'));
  const size_t authority_at = scheme_length + 3;
  const size_t path_at =
      std::min(url.find_first_of("/?", authority_at), url.size());
  const std::string_view authority =
      url.substr(authority_at, path_at - authority_at);
  // 0 if there is no '@': rfind then returns npos, and npos + 1 is 0.
  const size_t host_at = authority.rfind('@') + 1;
  const std::string_view path_and_query = url.substr(path_at);

  buffer.clear();
  AppendLower(url.substr(0, scheme_length), buffer);
  const std::string scheme = buffer;
  buffer.append("://").append(authority.substr(0, host_at));
  AppendHost(scheme, authority.substr(host_at), buffer);
  if (path_and_query.empty() || path_and_query[0] != '/') {
    buffer.push_back('/');
  }
  buffer.append(path_and_query);
  return buffer;
}

}  // namespace oneline
