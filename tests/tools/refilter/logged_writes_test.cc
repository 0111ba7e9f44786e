// The answers that the child of tools/refilter/logged_writes.h does not give;
// refilter_logs_test.cc has those that it gives.

#include "tools/refilter/logged_writes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include "tests/run_program.h"

namespace oneline {
namespace {

pid_t Child() {
  const std::string self = std::to_string(getpid());
  return std::stoi(ReadWholeFile("/proc/self/task/" + self + "/children"));
}

absl::StatusOr<bool> Ask(LoggedWrites* writes) { return writes->Exist(false); }

TEST(LoggedWritesTest, AReaderThatFailsIsNoAnswer) {
  RefilterTask task;
  task.database = "/no/database";
  LoggedWrites writes(task);
  const absl::Status status = Ask(&writes).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message().find("/no/database: a second process"), 0u)
      << status.message();
}

// The system kills by SIGKILL, RocksDB's assertions by SIGABRT.
TEST(LoggedWritesTest, AReaderThatIsKilledFoundSomethingOrIsNoAnswer) {
  for (const std::string signal : {"KILL", "ABRT"}) {
    LoggedWrites writes({});
    const std::string child = std::to_string(Child());
    kill(Child(), SIGSTOP);  // until it was asked
    ASSERT_EQ(std::system(("{ sleep 0.1; kill -" + signal + " " + child +
                           "; kill -CONT " + child + "; } &")
                              .c_str()),
              0);
    const absl::StatusOr<bool> exist = Ask(&writes);
    if (signal == "KILL") {
      EXPECT_EQ(exist.status().code(), absl::StatusCode::kUnavailable);
    } else {
      EXPECT_TRUE(exist.value());
    }
  }
}

TEST(LoggedWritesTest, AReaderIsStopped) {
  LoggedWrites writes({});
  kill(Child(), SIGSTOP);
  EXPECT_EQ(writes.Exist(true).status().code(), absl::StatusCode::kCancelled);
}

TEST(LoggedWritesTest, NoReaderStaysBehind) {
  { const LoggedWrites writes({}); }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace oneline
