// Signals to the process of `oneline refilter` in the midst of its run.

#include <fcntl.h>
#include <signal.h>

#include <chrono>

#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

constexpr size_t kTables = 40;

class RefilterSignalTest : public ClosedDatabaseTest {
 protected:
  RefilterSignalTest() {
    OpenedDatabase db = Open(Options());
    while (Tables().size() < kTables) WriteTable(db, 0, 0, kKeys, "v");
    digest_ = Digest(db);
  }

  // Starts a run, and stops the process when there is a new table; -1 if it
  // ended before.
  pid_t RunUntilFirstTable(const std::string& kept) const {
    const std::string before = Tables().back();
    const std::string keep = "--keep_old=" + kept;
    const std::string program = Oneline(), errors = directory_.File("err");
    const pid_t pid = fork();
    if (pid == 0) {
      dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      execl(program.c_str(), program.c_str(), "refilter", path_.c_str(),
            "--filter_policy=oneline:10", "--yes", "--jobs=2", "--rate=100kB",
            keep.c_str(), nullptr);
      _exit(127);
    }
    while (Tables().back() == before) {
      if (waitpid(pid, nullptr, WNOHANG) != 0) return -1;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    kill(pid, SIGSTOP);
    return pid;
  }
};

// The tables that were begun are finished, and the exit code does not say done.
TEST_F(RefilterSignalTest, TheDatabaseIsWholeAndASecondRunGoesOn) {
  ASSERT_EQ(Tables().size(), kTables);
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    SCOPED_TRACE(signal);
    const std::string kept = directory_.File("kept" + std::to_string(signal));
    const pid_t pid = RunUntilFirstTable(kept);
    ASSERT_GT(pid, 0);
    kill(pid, signal);
    kill(pid, SIGCONT);
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    if (signal == SIGKILL) {
      EXPECT_TRUE(WIFSIGNALED(status));
    } else {
      EXPECT_TRUE(WIFEXITED(status));
      EXPECT_EQ(WEXITSTATUS(status), 2);
      const std::string errors = ReadWholeFile(directory_.File("err"));
      EXPECT_TRUE(
          ContainsAll(errors, {"interrupted; ", "a second run goes on",
                               "The database as it was is in " + kept}));
    }
    const Json found =
        RunForJson("refilter " + path_ + " " + kOurs)["tables_found"];
    EXPECT_GT(found, 0);
    EXPECT_LT(found.number(), kTables);
  }
  ExpectDone(path_);
  EXPECT_EQ(Tables().size(), kTables);
  ExpectSame(Options("oneline:10"));
}

}  // namespace
}  // namespace oneline
