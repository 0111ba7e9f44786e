// How RocksDB saves its Ribbon policies.

#ifndef ONELINE_TESTS_LIBRARIES_SAVED_ID_H_
#define ONELINE_TESTS_LIBRARIES_SAVED_ID_H_

#include <cstddef>
#include <string>

namespace oneline {

// "ribbonfilter:10:0" for the "{id=ribbonfilter:10:0;bloom_before_level=0;}" in
// the text, which RocksDB writes from 8.7 on.
inline std::string WithIdAlone(const std::string& text) {
  const std::string before = "{id=";
  const size_t begin = text.find(before + "ribbonfilter");
  if (begin == text.npos) return text;
  const size_t id = begin + before.size();
  const size_t end = text.find('}', id);
  return text.substr(0, begin) + text.substr(id, text.find(';', id) - id) +
         text.substr(end + 1);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_LIBRARIES_SAVED_ID_H_
