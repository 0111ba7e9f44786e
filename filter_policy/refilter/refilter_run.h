// One call of Refilter: rounds of looking at all tables and compacting those
// that need a new filter, until a look finds none.

#ifndef ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_
#define ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_

#include <rocksdb/db.h>
#include <rocksdb/status.h>

#include <atomic>

#include "oneline/refilter.h"

namespace oneline {

// As Refilter. `stop`: cancels, as options.cancel does; may be null.
// REQUIRES: valid options, which name their column families; an empty report.
rocksdb::Status RunRefilter(rocksdb::DB* db, const RefilterOptions& options,
                            const std::atomic<bool>* stop,
                            RefilterReport* report);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_
