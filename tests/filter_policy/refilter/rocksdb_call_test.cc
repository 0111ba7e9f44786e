// Tests of filter_policy/refilter/rocksdb_call.h: what is thrown is told.

#include "filter_policy/refilter/rocksdb_call.h"

#include <stdexcept>

#include "tests/testing.h"

namespace oneline {
namespace {

using rocksdb::Status;

// `ulimit -v` and `ulimit -u` make the first two, damage the third.
TEST(RocksDBCallTest, ExceptionsBecomeStatuses) {
  const auto thrown = [](const auto& exception) {
    return CallRocksDB([&]() -> Status { throw exception; }).ToString();
  };
  EXPECT_EQ(thrown(std::bad_alloc()),
            "IO error: while reading the table: Cannot allocate memory");
  EXPECT_EQ(thrown(std::system_error(EAGAIN, std::generic_category())),
            "IO error: while starting a thread (see ulimit -u): Resource "
            "temporarily unavailable");
  EXPECT_EQ(thrown(std::length_error("too long")), "Corruption: too long");
}

}  // namespace
}  // namespace oneline
