#include "membership/urls/normal_url.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "absl/strings/ascii.h"

namespace oneline {
namespace {

bool IsUpper(char c) { return absl::ascii_isupper(c); }
bool IsDigit(char c) { return absl::ascii_isdigit(c); }

bool HasUpper(std::string_view s) {
  return std::any_of(s.begin(), s.end(), IsUpper);
}

void AppendLower(std::string_view s, std::string& out) {
  for (char c : s) out.push_back(absl::ascii_tolower(c));
}

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

// The default port of a scheme, in either case; empty if it has none. These are
// the five schemes with a port of the URL Standard (WHATWG, 3.2).
std::string_view DefaultPort(std::string_view scheme) {
  std::string lower;
  AppendLower(scheme, lower);
  if (lower == "http" || lower == "ws") return "80";
  if (lower == "https" || lower == "wss") return "443";
  return lower == "ftp" ? "21" : "";
}

// "host:port" in three parts.
struct HostAndPort {
  std::string_view lower;  // in which case makes no difference
  std::string_view exact;  // what follows that and is not the port
  std::string_view port;   // with its colon; empty if there is none
};

// Only digits may follow the colon, else there is no port: so the removal of a
// port never leaves another one.
bool IsPort(std::string_view s) {
  return s.empty() ||
         (s[0] == ':' && std::all_of(s.begin() + 1, s.end(), IsDigit));
}

// RFC 3986, 3.2.2.
bool IsIpv6Address(std::string_view s) {
  char text[INET6_ADDRSTRLEN] = {};
  unsigned char address[sizeof(in6_addr)];
  if (s.size() >= sizeof(text) || s.find('\0') < s.size()) return false;
  s.copy(text, s.size());
  return inet_pton(AF_INET6, text, address) == 1;
}

// Of a host that begins with '['. An address may have a zone (RFC 6874), in
// which case matters: "[fe80::1%25Eth0]". What is no address stays as it is.
HostAndPort SplitLiteral(std::string_view s) {
  const size_t end = std::min(s.find(']'), s.size() - 1) + 1;
  const size_t zone = std::min(s.find('%'), end - 1);
  const std::string_view port = s.substr(end);
  if (!IsPort(port) || s[end - 1] != ']' ||
      !IsIpv6Address(s.substr(1, zone - 1))) {
    return {{}, s, {}};
  }
  return {s.substr(0, zone), s.substr(zone, end - zone), port};
}

HostAndPort Split(std::string_view s) {
  if (!s.empty() && s[0] == '[') return SplitLiteral(s);
  const size_t colon = std::min(s.find(':'), s.size());
  if (!IsPort(s.substr(colon))) return {s, {}, {}};
  return {s.substr(0, colon), {}, s.substr(colon)};
}

}  // namespace

std::string_view NormalUrl(std::string_view url, std::string& buffer) {
  const size_t scheme_length = SchemeLength(url);
  if (scheme_length == 0) return url;
  url = url.substr(0, url.find('#'));
  const size_t authority_at = scheme_length + 3;
  const size_t path_at =
      std::min(url.find_first_of("/?", authority_at), url.size());
  const std::string_view scheme = url.substr(0, scheme_length);
  const std::string_view authority =
      url.substr(authority_at, path_at - authority_at);
  // 0 if there is no '@': rfind then returns npos, and npos + 1 is 0.
  const size_t host_at = authority.rfind('@') + 1;
  const std::string_view user = authority.substr(0, host_at);
  const HostAndPort host = Split(authority.substr(host_at));
  std::string_view port = host.port;
  if (port == ":" || (!port.empty() && port.substr(1) == DefaultPort(scheme))) {
    port = {};
  }
  const std::string_view path_and_query = url.substr(path_at);
  const bool has_path = !path_and_query.empty() && path_and_query[0] == '/';

  const bool same_port = port.size() == host.port.size();
  if (same_port && has_path && !HasUpper(scheme) && !HasUpper(host.lower)) {
    return url;
  }
  buffer.clear();
  AppendLower(scheme, buffer);
  buffer.append("://").append(user);
  AppendLower(host.lower, buffer);
  buffer.append(host.exact).append(port);
  if (!has_path) buffer.push_back('/');
  buffer.append(path_and_query);
  return buffer;
}

}  // namespace oneline
