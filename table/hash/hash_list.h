// The key hashes that a filter will be built from: a list that only grows.
//
//   chunks  [8192 hashes] [8192 hashes] ... [8192 hashes, partly used]
//
// A growing array would for a moment need three times the memory: here it is 8
// bytes for each key and never more than one chunk besides.

#ifndef ONELINE_TABLE_HASH_HASH_LIST_H_
#define ONELINE_TABLE_HASH_HASH_LIST_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace oneline {

class HashList {
 public:
  HashList() = default;

  // What is moved from would go on writing into the other's chunk.
  HashList(const HashList&) = delete;
  HashList& operator=(const HashList&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // REQUIRES: i < size().
  uint64_t operator[](size_t i) const {
    return chunks_[i / kChunkHashes][i % kChunkHashes];
  }
  uint64_t& operator[](size_t i) {
    return chunks_[i / kChunkHashes][i % kChunkHashes];
  }

  // REQUIRES: !empty().
  uint64_t back() const {
    assert(size_ > 0);
    return next_[-1];
  }

  void Append(uint64_t hash) {
    if (next_ == end_) Grow();
    *next_++ = hash;
    ++size_;
  }

  // Forgets all hashes, and keeps one chunk for the next filter.
  void Clear() {
    if (chunks_.size() > 1) chunks_.resize(1);
    size_ = 0;
    next_ = end_ = nullptr;
    if (!chunks_.empty()) OpenChunk(0);
  }

  // Calls `visit(hash)` for each hash, or those from `begin` to `end`, in
  // order. Faster than indexing.
  template <typename Visit>
  void ForEach(Visit visit) const {
    ForEach(0, size_, visit);
  }
  template <typename Visit>
  void ForEach(size_t begin, size_t end, Visit visit) const {
    while (begin < end) {
      const uint64_t* const chunk = chunks_[begin / kChunkHashes].get();
      const size_t first = begin % kChunkHashes;
      const size_t n = std::min(end - begin, kChunkHashes - first);
      for (size_t i = first; i < first + n; ++i) visit(chunk[i]);
      begin += n;
    }
  }

 private:
  // 64 KiB: small enough for the many small filters of partitioned tables.
  static constexpr size_t kChunkHashes = 8192;

  void Grow() {
    // Owned before the list grows, which can fail for want of memory.
    std::unique_ptr<uint64_t[]> chunk(new uint64_t[kChunkHashes]);
    chunks_.push_back(std::move(chunk));
    OpenChunk(chunks_.size() - 1);
  }
  void OpenChunk(size_t i) {
    next_ = chunks_[i].get();
    end_ = next_ + kChunkHashes;
  }

  std::vector<std::unique_ptr<uint64_t[]>> chunks_;
  uint64_t* next_ = nullptr;  // where the next hash goes
  uint64_t* end_ = nullptr;   // the end of the chunk that `next_` points into
  size_t size_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TABLE_HASH_HASH_LIST_H_
