#include "membership/urls/url_digest.h"

#include <openssl/evp.h>

#include <cassert>
#include <cstring>
#include <memory>

namespace oneline {

UrlDigest DigestOf(std::string_view url) {
  // Kept, because finding the function and creating a context each take longer
  // than a digest.
  static const EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  static thread_local const std::unique_ptr<EVP_MD_CTX,
                                            decltype(&EVP_MD_CTX_free)>
      context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  unsigned char whole[32];
  [[maybe_unused]] const bool done =
      EVP_DigestInit_ex2(context.get(), sha256, nullptr) == 1 &&
      EVP_DigestUpdate(context.get(), url.data(), url.size()) == 1 &&
      EVP_DigestFinal_ex(context.get(), whole, nullptr) == 1;
  assert(done);
  UrlDigest digest;
  std::memcpy(digest.data(), whole, digest.size());
  return digest;
}

}  // namespace oneline
