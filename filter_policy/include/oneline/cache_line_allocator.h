// A memory allocator for RocksDB's block cache whose blocks begin on a cache
// line of the processor.
//
//   rocksdb::LRUCacheOptions cache;
//   cache.memory_allocator = oneline::NewCacheLineAlignedAllocator();
//   table.block_cache = rocksdb::NewLRUCache(cache);
//
// A filter's lines begin where its block begins. By default RocksDB takes
// blocks from operator new[], which promises a multiple of 16. With glibc three
// blocks of four begin amid a line of the processor, and so each line of their
// filters is spread over two of those. (jemalloc puts blocks on lines by
// itself: there this allocator only costs memory.)

#ifndef ONELINE_CACHE_LINE_ALLOCATOR_H_
#define ONELINE_CACHE_LINE_ALLOCATOR_H_

#include <rocksdb/memory_allocator.h>

#include <cstddef>
#include <memory>

namespace oneline {

// Every block begins at a multiple of this many bytes.
inline constexpr size_t kBlockAlignment = 64;

// The name in RocksDB's LOG, and for MemoryAllocator::CreateFromString in every
// program that this library is linked to or preloaded into.
inline constexpr char kCacheLineAllocatorName[] =
    "oneline.CacheLineAlignedAllocator";

// Never null. Thread-safe, without state. Takes memory from operator new, 64
// bytes more than asked for, and fails as that does (std::bad_alloc), which is
// what RocksDB meets without an allocator, too. UsableSize is what malloc says
// is left of a block after its beginning, so a cache charges as without it.
std::shared_ptr<rocksdb::MemoryAllocator> NewCacheLineAlignedAllocator();

}  // namespace oneline

#endif  // ONELINE_CACHE_LINE_ALLOCATOR_H_
