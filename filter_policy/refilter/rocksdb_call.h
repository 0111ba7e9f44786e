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
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return rocksdb::Status::IOError("while reading the table",
                                    std::generic_category().message(ENOMEM));
  } catch (const std::system_error& error) {
    return rocksdb::Status::IOError("while starting a thread (see ulimit -u)",
                                    error.code().message());
  } catch (const std::exception& error) {
    return rocksdb::Status::Corruption(error.what());
  }
}

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_ROCKSDB_CALL_H_
