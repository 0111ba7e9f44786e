// From the Kind of the options to the row of the table of kinds, and back.
//
// Kind is in a header that users include, so it can name nothing of table/, and
// table/ knows no header of a policy. Here, and nowhere else, the enum meets
// the number in a block's trailer.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_

#include "oneline/filter_options.h"
#include "table/block/filter_kind.h"

namespace oneline {

static_assert(static_cast<uint8_t>(Kind::kBloom) == kBloomId);
static_assert(static_cast<uint8_t>(Kind::kRibbon) == kRibbonId);

// Whether it is one of RocksDB's own.
inline bool IsRocksDBs(Kind kind) {
  return kind == Kind::kRocksDBBloom || kind == Kind::kRocksDBRibbon;
}

// Null only if `kind` is none of ours.
inline const KindTraits* FindKind(Kind kind) {
  return FindKind(static_cast<uint8_t>(kind));
}

// The enumerator of a row.
inline Kind KindOf(const KindTraits& traits) {
  return static_cast<Kind>(traits.id);
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_
