#include "membership/urls/normal_url.h"

#include <algorithm>
#include <utility>

namespace oneline {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return IsUpper(c) || (c >= 'a' && c <= 'z'); }

bool HasUpper(std::string_view s) {
  return std::any_of(s.begin(), s.end(), IsUpper);
}

void AppendLower(std::string_view s, std::string& out) {
  for (char c : s) out.push_back(IsUpper(c) ? static_cast<char>(c + 32) : c);
}

// The length of the scheme before "://"; 0 if there is none.
size_t SchemeLength(std::string_view url) {
  if (url.empty() || !IsLetter(url[0])) return 0;
  const size_t n =
      static_cast<size_t>(std::find_if_not(url.begin(), url.end(),
                                           [](char c) {
                                             return IsLetter(c) || IsDigit(c) ||
                                                    c == '+' || c == '-' ||
                                                    c == '.';
                                           }) -
                          url.begin());
  return url.substr(n, 3) == "://" ? n : 0;
}

// The default port of a scheme, in either case; empty if it has none. These are
// the five schemes with a port of the URL Standard (WHATWG, 3.2).
std::string_view DefaultPort(std::string_view scheme) {
  static constexpr std::pair<std::string_view, std::string_view> kPorts[] = {
      {"ftp", "21"},
      {"http", "80"},
      {"https", "443"},
      {"ws", "80"},
      {"wss", "443"}};
  for (const auto& [name, port] : kPorts) {
    const bool same = std::equal(
        name.begin(), name.end(), scheme.begin(), scheme.end(),
        [](char a, char b) { return a == (IsUpper(b) ? b + 32 : b); });
    if (same) return port;
  }
  return {};
}

// Where the host ends and ":80" begins; the end if there is no port. Only
// digits may follow the first colon outside of [...], else there is no port: so
// the removal of a port never leaves another one.
size_t HostLength(std::string_view host_and_port) {
  size_t after_literal = 0;
  if (!host_and_port.empty() && host_and_port[0] == '[') {
    after_literal = host_and_port.find(']');
    if (after_literal == std::string_view::npos) return host_and_port.size();
  }
  const size_t colon = host_and_port.find(':', after_literal);
  if (colon == std::string_view::npos) return host_and_port.size();
  const std::string_view port = host_and_port.substr(colon + 1);
  return std::all_of(port.begin(), port.end(), IsDigit) ? colon
                                                        : host_and_port.size();
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
  const size_t host_length = HostLength(authority.substr(host_at));
  const std::string_view host = authority.substr(host_at, host_length);
  std::string_view port = authority.substr(host_at + host_length);
  if (port == ":" || (!port.empty() && port.substr(1) == DefaultPort(scheme))) {
    port = {};
  }
  const std::string_view path_and_query = url.substr(path_at);
  const bool has_path = !path_and_query.empty() && path_and_query[0] == '/';

  const bool same_port =
      user.size() + host.size() + port.size() == authority.size();
  if (same_port && has_path && !HasUpper(scheme) && !HasUpper(host)) {
    return url;
  }
  buffer.clear();
  AppendLower(scheme, buffer);
  buffer.append("://").append(user);
  AppendLower(host, buffer);
  buffer.append(port);
  if (!has_path) buffer.push_back('/');
  buffer.append(path_and_query);
  return buffer;
}

}  // namespace oneline
