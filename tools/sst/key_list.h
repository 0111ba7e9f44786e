// The keys of a table in memory, for those who need them twice: to read a table
// a second time costs most of what the first time does.

#ifndef ONELINE_TOOLS_SST_KEY_LIST_H_
#define ONELINE_TOOLS_SST_KEY_LIST_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace oneline {

// Of each key only what differs from the one before is kept, so keys should
// come in order.
class KeyList {
 public:
  // A list that takes more memory than this forgets all keys.
  explicit KeyList(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // Does nothing if the key equals the one before.
  void Append(std::string_view key);

  // Whether it has every key that was appended.
  bool is_complete() const { return is_complete_; }

  // Calls `visit` with each key, in order, until it returns false. REQUIRES:
  // is_complete().
  void ForEach(const std::function<bool(std::string_view key)>& visit) const;

 private:
  uint64_t max_bytes_;
  bool is_complete_ = true, is_empty_ = true;
  uint64_t bytes_ = 0;  // of the chunks
  std::string last_;
  // Entries of 4 bytes of what is shared with the key before, 4 bytes of the
  // rest's length, and the rest. None is in two chunks.
  std::vector<std::string> chunks_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_KEY_LIST_H_
