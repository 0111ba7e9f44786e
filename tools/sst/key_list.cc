#include "tools/sst/key_list.h"

#include <algorithm>
#include <cstring>

namespace oneline {
namespace {

// Chunks that don't move: a string that grew would copy all, and take twice as
// much meanwhile.
constexpr size_t kChunkBytes = 1 << 20;

struct Header {
  uint32_t shared = 0, rest = 0;
};

}  // namespace

void KeyList::Append(std::string_view key) {
  if (!is_complete_) return;
  const auto shared = static_cast<size_t>(
      std::mismatch(key.begin(),
                    key.begin() + std::min(key.size(), last_.size()),
                    last_.begin())
          .first -
      key.begin());
  if (!is_empty_ && shared == key.size() && shared == last_.size()) return;
  is_empty_ = false;
  const std::string_view rest = key.substr(shared);
  const size_t bytes = sizeof(Header) + rest.size();
  if (chunks_.empty() ||
      chunks_.back().capacity() - chunks_.back().size() < bytes) {
    chunks_.emplace_back().reserve(std::max(kChunkBytes, bytes));
    bytes_ += chunks_.back().capacity();
  }
  if (bytes_ > max_bytes_) {
    is_complete_ = false;
    chunks_ = {};
    return;
  }
  const Header header = {static_cast<uint32_t>(shared),
                         static_cast<uint32_t>(rest.size())};
  chunks_.back().append(reinterpret_cast<const char*>(&header), sizeof(header));
  chunks_.back().append(rest);
  last_.replace(shared, std::string::npos, rest);
}

void KeyList::ForEach(
    const std::function<bool(std::string_view key)>& visit) const {
  std::string key;
  for (const std::string& chunk : chunks_) {
    for (size_t at = 0; at < chunk.size();) {
      Header header;
      std::memcpy(&header, chunk.data() + at, sizeof(header));
      key.replace(header.shared, std::string::npos, chunk, at + sizeof(header),
                  header.rest);
      at += sizeof(header) + header.rest;
      if (!visit(key)) return;
    }
  }
}

}  // namespace oneline
