// Every kind of filter there is, for tests that all kinds must pass: a kind
// that is added to table/block/filter_kind.cc is tested with no change here.

#ifndef ONELINE_TESTS_TABLE_ALL_KINDS_H_
#define ONELINE_TESTS_TABLE_ALL_KINDS_H_

#include <cstdint>
#include <vector>

#include "table/block/filter_kind.h"

namespace oneline {

inline std::vector<const KindTraits*> AllKinds() {
  std::vector<const KindTraits*> kinds;
  for (int id = 0; id <= 255; ++id) {
    const KindTraits* kind = FindKind(static_cast<uint8_t>(id));
    if (kind != nullptr) kinds.push_back(kind);
  }
  return kinds;
}

inline std::vector<uint8_t> ValidParameters(const KindTraits& kind) {
  std::vector<uint8_t> valid;
  for (int parameter = 0; parameter <= 255; ++parameter) {
    const auto byte = static_cast<uint8_t>(parameter);
    if (kind.lines->valid_parameter(byte)) valid.push_back(byte);
  }
  return valid;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_ALL_KINDS_H_
