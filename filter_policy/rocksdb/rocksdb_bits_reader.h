// RocksDB's reader of a filter block of ours.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_READER_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_READER_H_

#include <string_view>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "table/simd/instruction_sets.h"

namespace oneline {

// Never null; the caller owns it. It lives in the block cache, longer than the
// policy and the database: it holds nothing but the view of its block. A
// damaged block gives a reader that answers "maybe". REQUIRES:
// IsSupported(set).
rocksdb::FilterBitsReader* NewBitsReader(
    std::string_view block, InstructionSet set = ChosenInstructionSet());

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_BITS_READER_H_
