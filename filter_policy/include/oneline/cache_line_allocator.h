// A memory allocator for RocksDB's block cache that aligns blocks to the cache
// lines of the processor.
//
//   rocksdb::LRUCacheOptions cache;
//   cache.memory_allocator = oneline::NewCacheLineAlignedAllocator();
//   table.block_cache = rocksdb::NewLRUCache(cache);
//
// A filter's lines begin where its block begins. By default RocksDB allocates
// blocks by operator new[], which only aligns to 16 bytes. With glibc three of
// four blocks begin in the middle of a cache line, and every line of their
// filters lies in two cache lines. (jemalloc aligns blocks to cache lines by
// itself: with it this allocator only costs memory.)

#ifndef ONELINE_CACHE_LINE_ALLOCATOR_H_
#define ONELINE_CACHE_LINE_ALLOCATOR_H_

#include <rocksdb/memory_allocator.h>

#include <memory>

#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// Never null. Every block begins at a multiple of 64 bytes. The allocator's
// name, in RocksDB's LOG and for MemoryAllocator::CreateFromString in every
// program that this library is linked to or preloaded into, is
// "oneline.CacheLineAlignedAllocator".
//
// The allocator is thread-safe and has no state. It takes 64 bytes
// more than asked for from operator new, and like that throws std::bad_alloc,
// as RocksDB does without an allocator. UsableSize is the usable size that
// malloc reports, from the block's beginning on, so a cache charges hardly more
// than without the allocator.
std::shared_ptr<rocksdb::MemoryAllocator> NewCacheLineAlignedAllocator();

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_CACHE_LINE_ALLOCATOR_H_
