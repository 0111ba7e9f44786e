// What a policy leaves to the one that RocksDB makes in its place.
//
// From RocksDB 9.8 on, SetOptions with a text for the whole policy, such as
//
//   {"block_based_table_factory", "{filter_policy={fp_rate=0.01}}"}
//
// does not change the policy. FilterPolicy::CreateFromString makes another one
// and configures it with one map of the old options and those of the text:
//
//   old->GetId()            ForgetPredecessor
//   old->IsInstanceOf(id)   OfferPredecessor
//   old's options as text   LeavesOptionsOut
//   factory(id)             TakePredecessor
//   new->ConfigureOptions   of what the text asks for
//
// In such a map the old bits_per_key=10 contradicts fp_rate=0.01, and nobody
// can tell which of them was asked for. RocksDB drops the error, and the new
// policy is left with default options and knows nothing of the tree. So the old
// policy's options go this way instead, and are left out of the map.
//
// These calls come in this order, on one thread, and SetOptions makes no others
// between them. Anything else, for example that a program itself calls
// IsInstanceOf, ends the sequence without effect.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_PREDECESSOR_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_PREDECESSOR_H_

#include <rocksdb/convenience.h>
#include <rocksdb/status.h>

#include <optional>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "oneline/filter_options.h"

namespace oneline {

class SharedOptions;

struct Predecessor {
  FilterOptions options;
  // Whether these hold where the text does not say otherwise, as in
  // {filter_policy={effort=4}}. {filter_policy=oneline:12} names all options.
  bool options_go_on = false;
  rocksdb::Status error;              // DB::Open would report it
  std::vector<std::string> mistakes;  // not in the LOG yet
  bool in_use = false;                // by an open database
  LevelBits::Tree tree;
};

// `options` are those of the policy that RocksDB asks whether it is an instance
// of `id`.
void OfferPredecessor(const std::string& id, const SharedOptions* options,
                      Predecessor predecessor);

// Whether an option that RocksDB wants as text goes to the successor by this
// way, so that the text must be empty. Never true for texts that are saved or
// shown.
bool LeavesOptionsOut(const SharedOptions* options,
                      const rocksdb::ConfigOptions& config_options);

// The policy in whose place that of this id is made, if there is one.
std::optional<Predecessor> TakePredecessor(const std::string& id);

void ForgetPredecessor();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_PREDECESSOR_H_
