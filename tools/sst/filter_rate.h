// The false-positive rate of a filter by its bytes, without looking keys up.

#ifndef ONELINE_TOOLS_SST_FILTER_RATE_H_
#define ONELINE_TOOLS_SST_FILTER_RATE_H_

#include <string>
#include <string_view>
#include <vector>

namespace oneline {

// The share of absent keys that pass the block, 0 to 1: for our blocks and for
// Bloom filters the mean over the lines, by the bits that are set in each; for
// RocksDB's Ribbon it follows from the number of columns. 1 if the block is
// damaged, as readers answer "maybe" then. Too low for RocksDB's old Bloom, by
// a sixth at 10 bits per key, because its probes are not independent.
double FilterFpRate(std::string_view block);

// Of a filter of these blocks: the mean, weighted by their bytes and so about
// by their keys; 1 if there are none.
double FilterFpRate(const std::vector<std::string>& blocks);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_RATE_H_
