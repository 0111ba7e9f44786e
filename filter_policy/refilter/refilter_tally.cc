#include "filter_policy/refilter/refilter_tally.h"

namespace oneline {

using rocksdb::Status;

RefilterTally::RefilterTally(const RefilterOptions& options,
                             RefilterReport* report)
    : options_(options), report_(*report) {}

void RefilterTally::Found(const std::string& family, const ListedTable& table) {
  if (!found_.insert({table.number, {family, table}}).second) return;
  ++report_.tables_found;
  report_.bytes_found += table.bytes;
  ++progress_.tables;
  progress_.bytes += table.bytes;
}

void RefilterTally::Rewritten(const ListedTable& table) {
  ++report_.tables_rewritten;
  report_.bytes_rewritten += table.bytes;
  Done(table);
}

void RefilterTally::Left(const std::string& family, const ListedTable& table,
                         const Status& status) {
  report_.left.push_back({family, table.path(), table.level, status});
  Done(table);
}

void RefilterTally::Done(const ListedTable& table) {
  done_.insert(table.number);
  ++progress_.tables_done;
  progress_.bytes_done += table.bytes;
  if (options_.progress != nullptr) options_.progress(progress_);
}

void RefilterTally::CountReplaced(const std::set<uint64_t>& listed) {
  for (const auto& [number, found] : found_) {
    if (!IsDone(number) && listed.count(number) == 0) Rewritten(found.table);
  }
}

void RefilterTally::ForgetAllBut(const std::set<uint64_t>& wrong) {
  for (auto at = found_.begin(); at != found_.end();) {
    const auto& [number, found] = *at;
    if (IsDone(number) || wrong.count(number) != 0) {
      ++at;
      continue;
    }
    --report_.tables_found;
    report_.bytes_found -= found.table.bytes;
    --progress_.tables;
    progress_.bytes -= found.table.bytes;
    at = found_.erase(at);
  }
}

void RefilterTally::LeaveTheRest(const Status& status) {
  for (const auto& [number, found] : found_) {
    if (IsDone(number)) continue;
    report_.left.push_back(
        {found.family, found.table.path(), found.table.level, status});
  }
}

}  // namespace oneline
