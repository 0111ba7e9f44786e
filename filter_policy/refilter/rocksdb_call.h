// Calls of RocksDB that read damaged files: exceptions become a status.

#ifndef ONELINE_FILTER_POLICY_REFILTER_ROCKSDB_CALL_H_
#define ONELINE_FILTER_POLICY_REFILTER_ROCKSDB_CALL_H_

#include <rocksdb/status.h>

#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

namespace oneline {

// Returns what `call` returns; IOError for lack of memory or threads, as from
// the system, and Corruption for other exceptions.
template <typename Call>
rocksdb::Status CallRocksDB(const Call& call) {
  const auto no_memory = [](const char* what) {
    return rocksdb::Status::IOError(what,
                                    std::generic_category().message(ENOMEM));
  };
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return no_memory("while reading the table");
  } catch (const std::system_error&) {
    return no_memory("while starting a thread");
  } catch (const std::exception& error) {
    return rocksdb::Status::Corruption(error.what());
  }
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_ROCKSDB_CALL_H_
