#include "membership/urls/url_digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cassert>
#include <memory>

namespace oneline {
namespace {

constexpr size_t kSha256Bytes = 32;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

UrlDigest DigestOf(std::string_view url) {
  // Kept, because finding the function and creating a context each take longer
  // than a digest.
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  static thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context(
      EVP_MD_CTX_new());
  std::array<unsigned char, kSha256Bytes> whole;
  [[maybe_unused]] const bool done =
      EVP_DigestInit_ex2(context.get(), sha256, nullptr) == 1 &&
      EVP_DigestUpdate(context.get(), url.data(), url.size()) == 1 &&
      EVP_DigestFinal_ex(context.get(), whole.data(), nullptr) == 1;
  assert(done);
  UrlDigest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

}  // namespace oneline
