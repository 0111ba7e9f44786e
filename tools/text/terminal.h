// What a line that is redrawn in place needs to know of the terminal.

#ifndef ONELINE_TOOLS_TEXT_TERMINAL_H_
#define ONELINE_TOOLS_TEXT_TERMINAL_H_

#include <cstdio>

namespace oneline {

// Goes back to the start of the line, and erases it.
inline constexpr char kEraseLine[] = "\r\x1b[K";

// 0 if `out` is no terminal, or one that cannot redraw a line.
int TerminalColumns(FILE* out);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_TERMINAL_H_
