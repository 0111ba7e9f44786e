// Memory between two pages that can't be read: touching a byte outside it ends
// the program, also where a sanitizer sees nothing (vector instructions).

#ifndef ONELINE_TESTS_GUARDED_BYTES_H_
#define ONELINE_TESTS_GUARDED_BYTES_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace oneline {

// A page can only be guarded as a whole, so the bytes touch the unreadable one
// before them or the one behind them; tests try both.
enum class GuardedEdge { kStart, kEnd };

class GuardedBytes {
 public:
  GuardedBytes(size_t size, GuardedEdge edge) : page_(sysconf(_SC_PAGESIZE)) {
    const size_t inner = (size + page_ - 1) / page_ * page_;
    mapped_bytes_ = inner + 2 * page_;
    void* mapped = mmap(nullptr, mapped_bytes_, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) Fail("mmap");
    mapped_ = static_cast<uint8_t*>(mapped);
    uint8_t* readable = mapped_ + page_;
    if (inner > 0 && mprotect(readable, inner, PROT_READ | PROT_WRITE) != 0) {
      Fail("mprotect");
    }
    data_ = edge == GuardedEdge::kStart ? readable : readable + inner - size;
  }
  ~GuardedBytes() { munmap(mapped_, mapped_bytes_); }

  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  uint8_t* data() const { return data_; }

 private:
  [[noreturn]] static void Fail(const char* what) {
    std::perror(what);
    std::abort();
  }

  size_t page_;
  size_t mapped_bytes_;
  uint8_t* mapped_;
  uint8_t* data_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_GUARDED_BYTES_H_
