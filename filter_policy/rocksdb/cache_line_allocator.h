// What the library knows of the allocator of oneline/cache_line_allocator.h.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_CACHE_LINE_ALLOCATOR_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_CACHE_LINE_ALLOCATOR_H_

#include <cstddef>

namespace oneline {

// Every block begins at a multiple of this many bytes, and takes as many more
// than were asked for.
inline constexpr size_t kBlockAlignment = 64;

inline constexpr char kCacheLineAllocatorName[] =
    "oneline.CacheLineAlignedAllocator";

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_CACHE_LINE_ALLOCATOR_H_
