#include "table/block/filter_kind.h"

#include "table/bloom/blocked_bloom.h"
#include "table/ribbon/blocked_ribbon.h"

namespace oneline {
namespace {

constexpr KindTraits kKinds[] = {
    {kBloomId, "bloom", &blocked_bloom::ChooseParameter,
     &blocked_bloom::ValidParameter, &kBloomHalvings,
     &blocked_bloom::LineFpRate, &blocked_bloom::Build,
     &blocked_bloom::ContextFor, &blocked_bloom::kKernels},
    {kRibbonId, "ribbon", &blocked_ribbon::ChooseParameter,
     &blocked_ribbon::ValidParameter, &kRibbonHalvings,
     &blocked_ribbon::LineFpRate, &blocked_ribbon::Build,
     &blocked_ribbon::ContextFor, &blocked_ribbon::kKernels},
};

}  // namespace

const KindTraits* FindKind(uint8_t id) {
  for (const KindTraits& kind : kKinds) {
    if (kind.id == id) return &kind;
  }
  return nullptr;
}

const KindTraits* FindKind(std::string_view name) {
  for (const KindTraits& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace oneline
