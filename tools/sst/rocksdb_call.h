// Calls of RocksDB that read damaged files: exceptions become a status.

#ifndef ONELINE_TOOLS_SST_ROCKSDB_CALL_H_
#define ONELINE_TOOLS_SST_ROCKSDB_CALL_H_

#include <rocksdb/status.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>

namespace oneline {

// Returns what `call` returns. RocksDB believes the footer of a table, which
// has no checksum before format version 6, and asks for as much memory as it
// says a block takes. No block is larger than its file: if there is memory for
// the whole file, the exception means Corruption, else it goes on to the
// caller.
template <typename Call>
rocksdb::Status CallRocksDB(const std::string& path, const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    std::error_code error;
    const uint64_t bytes = std::filesystem::file_size(path, error);
    if (error) throw;
    if (std::unique_ptr<char[]>(new (std::nothrow) char[bytes]) == nullptr) {
      throw;
    }
    return rocksdb::Status::Corruption(
        "the file tells of a block that is larger than memory");
  } catch (const std::exception& error) {
    return rocksdb::Status::Corruption(error.what());
  }
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_ROCKSDB_CALL_H_
