#include "table/ribbon_line/ribbon_masks.h"

#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>

namespace oneline {
namespace blocked_ribbon {
namespace {

using Row = RibbonMasks::Row;
using Mask = RibbonMasks::Mask;

constexpr uint32_t kMinLineBytes = 8;
constexpr size_t kNumLengths = kLineBytes - kMinLineBytes + 1;
constexpr size_t kNumBases = kMaxBase / kBaseStep + 1;

// Calls visit(rows) for each number of rows that lines of the base can have.
template <typename Visit>
void ForEachRows(uint32_t base, Visit visit) {
  for (uint32_t over = 0; over < kUnsolved; ++over) {
    if (base + over > 0) visit(base + over);
  }
}

void SetBit(uint32_t bit, Mask* mask) {
  mask->words[bit / 64] |= uint64_t{1} << (bit % 64);
}

// The masks of one window: of keys that are not reached, and of those that are.
void FillMasks(uint32_t rows, uint32_t start, uint32_t line_bits, Mask* masks) {
  const uint32_t full = FullColumns(rows, line_bits);
  for (uint32_t column = 0; column < full; ++column) {
    SetBit(kLineBits - 1 - column * rows - start, &masks[0]);
  }
  masks[1] = masks[0];
  if (start < PartialRows(rows, line_bits)) {
    SetBit(kLineBits - 1 - full * rows - start, &masks[1]);
  }
}

RibbonMasks* MakeTable(uint32_t base, uint32_t line_bits) {
  // One empty window comes first, for lines that answer "maybe".
  size_t num_windows = 1;
  ForEachRows(base, [&](uint32_t rows) { num_windows += NumWindows(rows); });
  const size_t num_masks = 2 * num_windows;
  void* const memory =
      ::operator new (sizeof(RibbonMasks) + num_masks * sizeof(Mask),
                      std::align_val_t{kLineBytes});
  auto* const table = new (memory) RibbonMasks();
  auto* const masks = reinterpret_cast<Mask*>(table + 1);
  std::uninitialized_value_construct_n(masks, num_masks);
  uint32_t next_window = 1;
  ForEachRows(base, [&](uint32_t rows) {
    const uint32_t partial_rows = PartialRows(rows, line_bits);
    for (uint32_t reach = 0; reach < kReaches; ++reach) {
      const uint32_t bound = ReachBound(rows, partial_rows, reach);
      table->rows[EncodeHeader({rows - base, 0, reach})] = {
          CoefficientMask(rows), next_window,
          static_cast<uint8_t>(NumWindows(rows)),
          static_cast<uint8_t>(bound >> 8), static_cast<uint8_t>(bound & 255)};
    }
    for (uint32_t i = 0; i < NumWindows(rows); ++i) {
      FillMasks(rows, WindowStart(rows, i), line_bits,
                masks + 2 * size_t{next_window++});
    }
  });
  return table;
}

std::atomic<const RibbonMasks*>& PlaceOf(uint32_t base, uint32_t line_bytes) {
  assert(base % kBaseStep == 0 && base <= kMaxBase);
  assert(line_bytes >= kMinLineBytes && line_bytes <= kLineBytes);
  static std::atomic<const RibbonMasks*> tables[kNumBases][kNumLengths];
  return tables[base / kBaseStep][line_bytes - kMinLineBytes];
}

std::atomic<uint32_t> num_short_tables{0};

// Without a bit to compare: every line answers "maybe".
struct {
  RibbonMasks table;
  Mask masks[2];
} maybe;

}  // namespace

const RibbonMasks& RibbonMasksFor(uint32_t base, uint32_t line_bytes) {
  std::atomic<const RibbonMasks*>& place = PlaceOf(base, line_bytes);
  const RibbonMasks* table = place.load(std::memory_order_acquire);
  if (table != nullptr) return *table;
  RibbonMasks* const made = MakeTable(base, 8 * line_bytes);
  if (place.compare_exchange_strong(table, made, std::memory_order_acq_rel)) {
    if (line_bytes < kLineBytes) ++num_short_tables;
    return *made;
  }
  // Another thread was faster.
  ::operator delete (made, std::align_val_t{kLineBytes});
  return *table;
}

const RibbonMasks& FindRibbonMasks(uint32_t base, uint32_t line_bytes) {
  const RibbonMasks* const table =
      PlaceOf(base, line_bytes).load(std::memory_order_acquire);
  if (table != nullptr) return *table;
  if (line_bytes < kLineBytes && num_short_tables >= kMaxShortTables) {
    return maybe.table;
  }
  try {
    return RibbonMasksFor(base, line_bytes);
  } catch (const std::bad_alloc&) {
    return maybe.table;
  }
}

}  // namespace blocked_ribbon
}  // namespace oneline
