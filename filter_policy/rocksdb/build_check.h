// Checks that this build of the library fits the program that runs it.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <functional>
#include <memory>
#include <string>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

namespace oneline {

// NotSupported if the program runs a RocksDB whose filters may have another
// interface than in the version compiled for (HaveSameFilters). The message
// says what to do.
rocksdb::Status CheckVersion();

// NotSupported unless the program runs the version compiled for, to the patch:
// for whoever passes RocksDB's options by value, or calls its caches.
rocksdb::Status CheckExactVersion();

// Whether a filter has its keys and not all others.
bool IsRight(
    std::unique_ptr<rocksdb::FilterBitsBuilder> builder,
    const std::function<rocksdb::FilterBitsReader*(const rocksdb::Slice&)>&
        read);

// What is wrong with our filters in this program; empty if keys are hashed as
// the format says, and a filter of each kind is right, and one of RocksDB's by
// our declaration of its interface. Found out by the first call, which must not
// be before main. REQUIRES: CheckVersion().ok().
const std::string& WhatIsWrong();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
