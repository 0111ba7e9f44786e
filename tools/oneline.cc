// The program `oneline`: inspects, checks and sizes the filters of RocksDB's
// tables. `oneline help` lists its commands.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "tools/command/command.h"

namespace oneline {
namespace {

// Makes sure that descriptors 0 to 2 are in use. Where one was closed, the next
// file to be opened would get it, and be written what is meant for standard
// output. What is opened here can be neither read nor written.
void ReserveStandardStreams() {
  for (int fd = 0; fd <= 2; ++fd) {
    // open() takes the lowest free descriptor.
    if (fcntl(fd, F_GETFD) < 0 && open("/", O_PATH) != fd) std::terminate();
  }
}

// RocksDB's assertions abort, where they are on: damage that no checksum shows
// can make one fail. glibc aborts when a new thread gets no memory for its
// destructors.
void FailByAbort(int) {
  static constexpr char kWhy[] =
      "oneline: aborted; perhaps by RocksDB, on a damaged table without "
      "checksums, or by the C library, out of memory\n";
  if (write(STDERR_FILENO, kWhy, sizeof(kWhy) - 1) < 0) _exit(kExitFailed);
  _exit(kExitFailed);
}

int Fail(const char* why) {
  std::fprintf(stderr, "oneline: %s\n", why);
  return kExitFailed;
}

// For exceptions that main cannot catch: without memory RocksDB throws out of
// functions that may throw nothing.
void FailByException() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) {
      std::rethrow_exception(thrown);
    }
  } catch (const std::bad_alloc&) {
    _exit(Fail("out of memory"));
  } catch (const std::exception& error) {
    _exit(Fail(error.what()));
  } catch (...) {
  }
  std::abort();
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  oneline::ReserveStandardStreams();
  std::signal(SIGABRT, &oneline::FailByAbort);
  std::set_terminate(&oneline::FailByException);
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words[0] == "advise") {
      return oneline::Fail(
          "there is no command 'advise' since 0.2.0: the policy spreads bits "
          "over the levels by itself, 'oneline size --memory=SIZE' says what a "
          "budget gives, and 'oneline doctor' prints the share of hits");
    }
    return oneline::RunCommandLine(
        {&oneline::kSizeCommand, &oneline::kInspectCommand,
         &oneline::kVerifyCommand, &oneline::kDoctorCommand,
         &oneline::kRefilterCommand, &oneline::kSieveCommand},
        words);
  } catch (const std::bad_alloc&) {
    return oneline::Fail("out of memory");
  } catch (const std::exception& error) {
    return oneline::Fail(error.what());
  }
}
