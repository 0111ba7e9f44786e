// A memory allocator for RocksDB's block cache that aligns allocations to the
// cache lines of the processor.
//
//   rocksdb::LRUCacheOptions cache;
//   cache.memory_allocator = oneline::NewCacheLineAlignedAllocator();
//   table.block_cache = rocksdb::NewLRUCache(cache);
//
// A filter's lines begin where its filter block begins. By default RocksDB
// allocates filter blocks with operator new[], which only aligns to 16 bytes.
// With glibc, three of four begin in the middle of a cache line, and each of
// their lines lies in two cache lines. (jemalloc aligns to cache lines by
// itself: with jemalloc, this allocator only costs memory.)

#ifndef ONELINE_CACHE_LINE_ALLOCATOR_H_
#define ONELINE_CACHE_LINE_ALLOCATOR_H_

#include <rocksdb/memory_allocator.h>

#include <memory>

#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// Never null. Every allocation begins at a multiple of 64 bytes. The
// allocator's name, in RocksDB's LOG and for MemoryAllocator::CreateFromString
// in every program that this library is linked to or preloaded into, is
// "oneline.CacheLineAlignedAllocator".
//
// The allocator is thread-safe and has no state. It takes 64 bytes more than
// requested from malloc. Without memory it throws std::bad_alloc, as RocksDB
// does without an allocator. UsableSize is the usable size that
// malloc reports, counted from the aligned beginning, so a block cache charges
// hardly more than without the allocator.
std::shared_ptr<rocksdb::MemoryAllocator> NewCacheLineAlignedAllocator();

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_CACHE_LINE_ALLOCATOR_H_
