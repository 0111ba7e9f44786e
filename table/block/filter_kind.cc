#include "table/block/filter_kind.h"

#include "table/bloom/blocked_bloom.h"
#include "table/ribbon/blocked_ribbon.h"

namespace oneline {
namespace {

constexpr KindTraits kTraits[] = {
    {kBloomId, "bloom", &kBloomHalvings, &blocked_bloom::kLines},
    {kRibbonId, "ribbon", &kRibbonHalvings, &blocked_ribbon::kLines},
};

}  // namespace

const KindTraits* FindKind(uint8_t id) {
  for (const KindTraits& kind : kTraits) {
    if (kind.id == id) return &kind;
  }
  return nullptr;
}

const KindTraits* FindKind(std::string_view name) {
  for (const KindTraits& kind : kTraits) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace oneline
