#include "tools/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace oneline {

int TerminalColumns(FILE* out) {
  const char* terminal = std::getenv("TERM");
  if (!isatty(fileno(out)) || terminal == nullptr ||
      std::string_view(terminal) == "dumb") {
    return 0;
  }
  winsize size{};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

}  // namespace oneline
