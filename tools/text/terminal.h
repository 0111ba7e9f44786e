// What is needed to redraw a line of a terminal in place.

#ifndef ONELINE_TOOLS_TEXT_TERMINAL_H_
#define ONELINE_TOOLS_TEXT_TERMINAL_H_

#include <cstdio>

namespace oneline {

// Moves the cursor to the start of the line and erases the line.
inline constexpr char kEraseLine[] = "\r\x1b[K";

// The width of the terminal `out`; 0 if it is no terminal, or one that cannot
// redraw a line.
int TerminalColumns(FILE* out);

}  // namespace oneline

#endif  // ONELINE_TOOLS_TEXT_TERMINAL_H_
