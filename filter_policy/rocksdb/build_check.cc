#include "filter_policy/rocksdb/build_check.h"

#include <rocksdb/table.h>
#include <rocksdb/version.h>

#include <cstdio>
#include <new>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_bits_builder.h"
#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/level_filters.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

using rocksdb::FilterBitsBuilder;
using rocksdb::FilterBitsReader;
using rocksdb::Slice;
using rocksdb::Status;

Status Check(bool (*fits)(int compiled, int running)) {
  const std::string running = rocksdb::GetRocksVersionAsString();
  int major = 0, minor = 0, patch = 0;
  std::sscanf(running.c_str(), "%d.%d.%d", &major, &minor, &patch);
  if (fits(kRocksDBVersion, major * 10000 + minor * 100 + patch)) {
    return Status::OK();
  }
  return Status::NotSupported("oneline: compiled for RocksDB " +
                              RocksDBVersionText() +
                              ", but this program runs " + running +
                              ": build oneline against RocksDB " + running);
}

bool IsRocksDBsRight() {
  const BuiltinsStay stay;
  const Builtin bloom = NewBuiltin(/*is_ribbon=*/false, 10);
  if (bloom == nullptr) return false;
  const rocksdb::BlockBasedTableOptions table;
  std::unique_ptr<FilterBitsBuilder> builder(
      bloom->GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
  return IsRight(std::move(builder), [&](const Slice& filter) {
    return bloom->GetFilterBitsReader(filter);
  });
}

bool AreOursRight() {
  BitsBuilderOptions options;
  options.bits_per_key = 10;
  for (uint8_t id = kBloomId; id <= kRibbonId; ++id) {
    options.kind = FindKind(id);
    if (!IsRight(NewBitsBuilder(options), [](const Slice& filter) {
          return NewBitsReader(filter.ToStringView());
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace

Status CheckVersion() { return Check(&HaveSameFilters); }

Status CheckExactVersion() {
  return Check([](int compiled, int running) { return compiled == running; });
}

bool IsRight(std::unique_ptr<FilterBitsBuilder> builder,
             const std::function<FilterBitsReader*(const Slice&)>& read) {
  constexpr size_t kKeys = 100;
  if (builder == nullptr) return false;
  std::vector<std::string> keys, others;
  for (size_t i = 0; i < kKeys; ++i) {
    keys.push_back(std::string(3 * i, 'k') + std::to_string(i));
    others.push_back("other" + keys.back());
    builder->AddKey(keys.back());
  }
  if (builder->EstimateEntriesAdded() != kKeys) return false;
  std::unique_ptr<const char[]> owner;
  const Slice filter = builder->Finish(&owner);
  if (owner == nullptr) throw std::bad_alloc();  // as our builder shows it
  if (!builder->MaybePostVerify(filter).ok()) return false;
  const std::unique_ptr<FilterBitsReader> reader(read(filter));
  if (reader == nullptr) return false;
  size_t found = 0, matches = 0;
  for (size_t i = 0; i < kKeys; ++i) {
    Slice slice(keys[i]);
    Slice* batch[] = {&slice};
    bool may_match = false;
    reader->MayMatch(1, batch, &may_match);
    found += may_match && reader->MayMatch(slice);
    matches += reader->MayMatch(others[i]);
  }
  return found == kKeys && matches < kKeys / 2;
}

const std::string& WhatIsWrong() {
  static const std::string wrong =
      !IsTheKeyHash(&KeyHash) ? kWrongHash
      : !IsRocksDBsRight() || !AreOursRight()
          ? "oneline: a filter that was built as a test is wrong"
          : "";
  return wrong;
}

}  // namespace oneline
