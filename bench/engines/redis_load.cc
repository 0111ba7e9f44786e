// Gives commands to a server that speaks Redis's protocol, on 127.0.0.1, and
// compares each answer with what it must be. For kvrocks.sh.
//
//   redis_load PORT call WORD...
//   redis_load PORT WORKLOAD KEYS OPERATIONS [DIRECTORY]
//
// `call` prints the answer to one command. A workload prints, with tabs
// between: its name, operations a second, and the milliseconds within which 50
// %, 99 % and 99.9 % of the operations were answered. A wrong answer is an
// error. The files *.sst below DIRECTORY are kept out of the page cache
// meanwhile.
//
// There are KEYS strings, as many fields in hashes and as many members in
// sorted sets. A workload that writes does so for each of them, OPERATIONS is
// ignored; the others draw keys at random. Absent keys lie between those
// present, so that only a filter can tell.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "bench/measure/clocks.h"
#include "bench/measure/spread.h"

namespace oneline {
namespace {

constexpr int kConnections = 16;
// Commands that a connection sends before it reads their answers.
constexpr int kPipeline = 8;
// Fields of a hash, members of a sorted set.
constexpr uint32_t kFields = 20;

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "redis_load: %s\n", what.c_str());
  std::exit(1);
}

std::string Command(const std::vector<std::string>& words) {
  std::string command = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    command += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return command;
}

std::string Bulk(const std::string& text) {
  return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
}

class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address),
                sizeof(address)) != 0) {
      Fail("there is no server on port " + std::to_string(port));
    }
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(socket_); }

  void Send(std::string_view commands) {
    while (!commands.empty()) {
      const ssize_t n =
          send(socket_, commands.data(), commands.size(), MSG_NOSIGNAL);
      if (n <= 0) Fail("the server closed the connection");
      commands.remove_prefix(static_cast<size_t>(n));
    }
  }

  // One answer as it came: a line, and the text of which it gives the length.
  // Valid until the next call.
  std::string_view Answer() {
    size_t end = 0;
    while ((end = Unread().find("\r\n")) == std::string_view::npos) Receive();
    end += 2;
    if (Unread()[0] == '$' && Unread()[1] != '-') {
      end += 2 + std::strtoul(Unread().data() + 1, nullptr, 10);
    }
    while (Unread().size() < end) Receive();
    begin_ += end;
    return std::string_view(buffer_).substr(begin_ - end, end);
  }

 private:
  std::string_view Unread() const {
    return std::string_view(buffer_).substr(begin_);
  }

  void Receive() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    char bytes[1 << 16];
    const ssize_t n = recv(socket_, bytes, sizeof(bytes), 0);
    if (n <= 0) Fail("the server closed the connection");
    buffer_.append(bytes, static_cast<size_t>(n));
  }

  const int socket_;
  std::string buffer_;
  size_t begin_ = 0;  // of what is not read yet
};

// Names with even numbers are written, those with odd numbers are absent.
std::string Name(const char* prefix, uint32_t number) {
  char name[32];
  std::snprintf(name, sizeof(name), "%s%010u", prefix, number);
  return name;
}

std::string Value(uint32_t i) {
  std::mt19937_64 random(i);
  std::string value;
  while (value.size() < 96) value += std::to_string(random());
  return value;
}

// A command about item i, and the answer that it must have.
struct Operation {
  std::vector<std::string> words;
  std::string answer;
};

struct Workload {
  const char* name;
  bool writes;
  Operation (*operation)(uint32_t i);
};

std::string Hash(uint32_t i) { return Name("hash", i / kFields); }
std::string Set(uint32_t i) { return Name("set", i / kFields); }

constexpr Workload kWorkloads[] = {
    {"load-strings", true,
     [](uint32_t i) {
       return Operation{{"SET", Name("string", 2 * i), Value(i)}, "+OK\r\n"};
     }},
    {"load-hashes", true,
     [](uint32_t i) {
       return Operation{{"HSET", Hash(i), Name("field", 2 * i), Value(i)},
                        ":1\r\n"};
     }},
    {"load-sets", true,
     [](uint32_t i) {
       return Operation{
           {"ZADD", Set(i), std::to_string(i), Name("member", 2 * i)},
           ":1\r\n"};
     }},
    {"get-absent", false,
     [](uint32_t i) {
       return Operation{{"GET", Name("string", 2 * i + 1)}, "$-1\r\n"};
     }},
    {"get-present", false,
     [](uint32_t i) {
       return Operation{{"GET", Name("string", 2 * i)}, Bulk(Value(i))};
     }},
    {"hget-absent", false,
     [](uint32_t i) {
       return Operation{{"HGET", Hash(i), Name("field", 2 * i + 1)}, "$-1\r\n"};
     }},
    {"hget-present", false,
     [](uint32_t i) {
       return Operation{{"HGET", Hash(i), Name("field", 2 * i)},
                        Bulk(Value(i))};
     }},
    {"zscore-absent", false,
     [](uint32_t i) {
       return Operation{{"ZSCORE", Set(i), Name("member", 2 * i + 1)},
                        "$-1\r\n"};
     }},
    {"zscore-present", false,
     [](uint32_t i) {
       return Operation{{"ZSCORE", Set(i), Name("member", 2 * i)},
                        Bulk(std::to_string(i))};
     }},
};

// The items of a workload: all of them, or `operations` drawn at random.
std::vector<uint32_t> Items(const Workload& workload, uint32_t keys,
                            uint32_t operations) {
  std::mt19937_64 random(1);
  std::vector<uint32_t> items(workload.writes ? keys : operations);
  for (uint32_t i = 0; i < items.size(); ++i) {
    items[i] = workload.writes ? i : static_cast<uint32_t>(random() % keys);
  }
  if (workload.writes) std::shuffle(items.begin(), items.end(), random);
  return items;
}

// Every kConnections-th part of the items. Returns the milliseconds of each.
std::vector<float> RunConnection(int port, const Workload& workload,
                                 const std::vector<uint32_t>& items,
                                 size_t first) {
  Connection connection(port);
  std::vector<float> latencies;
  std::vector<Operation> batch;
  while (first < items.size()) {
    batch.clear();
    std::string commands;
    for (; first < items.size() && batch.size() < kPipeline;
         first += kConnections) {
      batch.push_back(workload.operation(items[first]));
      commands += Command(batch.back().words);
    }
    const double sent = SecondsOf(CLOCK_MONOTONIC);
    connection.Send(commands);
    for (const Operation& operation : batch) {
      const std::string_view answer = connection.Answer();
      latencies.push_back(
          static_cast<float>(1e3 * (SecondsOf(CLOCK_MONOTONIC) - sent)));
      if (answer != operation.answer) {
        Fail("wrong answer to " + operation.words[0] + " " +
             operation.words[1] + ": " + std::string(answer));
      }
    }
  }
  return latencies;
}

// Drops the pages of all tables, again and again, until `done`.
void EvictTables(const std::string& directory, const std::atomic<bool>& done) {
  while (!done) {
    std::error_code error;
    for (const auto& file :
         std::filesystem::directory_iterator(directory, error)) {
      if (file.path().extension() != ".sst") continue;
      const int descriptor = open(file.path().c_str(), O_RDONLY);
      if (descriptor < 0) continue;
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
      close(descriptor);
    }
    if (error) Fail(directory + ": " + error.message());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void RunWorkload(int port, const Workload& workload,
                 const std::vector<uint32_t>& items,
                 const std::string& directory) {
  std::atomic<bool> done{false};
  std::thread evicting;
  if (!directory.empty()) {
    evicting = std::thread([&] { EvictTables(directory, done); });
  }
  std::vector<std::vector<float>> parts(kConnections);
  std::vector<std::thread> threads;
  const double started = SecondsOf(CLOCK_MONOTONIC);
  for (size_t i = 0; i < kConnections; ++i) {
    threads.emplace_back(
        [&, i] { parts[i] = RunConnection(port, workload, items, i); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = SecondsOf(CLOCK_MONOTONIC) - started;
  done = true;
  if (evicting.joinable()) evicting.join();
  std::vector<float> all;
  for (const std::vector<float>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::printf("%s\t%.0f\t%.3f\t%.3f\t%.3f\n", workload.name,
              static_cast<double>(all.size()) / seconds, Percentile(0.5, &all),
              Percentile(0.99, &all), Percentile(0.999, &all));
}

uint32_t Number(const char* text) {
  const unsigned long number = std::strtoul(text, nullptr, 10);
  if (number == 0 || number > 2'000'000'000) {
    Fail(std::string(text) + ": must be a number from 1 to 2000000000");
  }
  return static_cast<uint32_t>(number);
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) Fail("usage: see redis_load.cc");
  const auto port = static_cast<int>(Number(arguments[0].c_str()));
  if (arguments[1] == "call") {
    Connection connection(port);
    connection.Send(Command({arguments.begin() + 2, arguments.end()}));
    std::string_view answer = connection.Answer();
    if (answer[0] == '$') answer.remove_prefix(answer.find("\r\n") + 2);
    std::printf("%.*s", static_cast<int>(answer.size()), answer.data());
    return answer[0] == '-' ? 1 : 0;
  }
  for (const Workload& workload : kWorkloads) {
    if (workload.name != arguments[1] || arguments.size() < 4) continue;
    RunWorkload(port, workload,
                Items(workload, Number(arguments[2].c_str()),
                      Number(arguments[3].c_str())),
                arguments.size() > 4 ? arguments[4] : "");
    return 0;
  }
  Fail(arguments[1] + ": no such workload, or too few arguments");
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::Main(std::vector<std::string>(argv + 1, argv + argc));
}
