// Tests of tools/command/manual.cc with a made-up command. Those of the real
// ones, as they are installed, and of bash are in command_promises_test.cc.

#include <gtest/gtest.h>

#include "oneline/version.h"
#include "tools/command/command_help.h"

namespace oneline {
namespace {

const Command kRead = {"look",
                       "PATH [FLAGS]",
                       "looks at it",
                       R"(Looks at a file's
lines, \n and all:

  first       what is
              first
  --second
              a flag

.dots too.

Exit codes: 0 seen,
1 not seen.

Example:

    oneline look db
    oneline look 'a file'
)",
                       {"json", "memory"},
                       1,
                       1,
                       nullptr};
const Command kOther = {"other", "", "others", "Others.\n", {}, 0, 0, nullptr};

TEST(ManualTest, ThePageOfACommand) {
  EXPECT_EQ(ManualPage(kRead, {&kRead, &kOther}),
            R"(.TH ONELINE-LOOK 1 "" "oneline )" ONELINE_VERSION
            R"(" "User Commands"
.nh
.ad l
.SH NAME
oneline\-look \- looks at it
.SH SYNOPSIS
.PP
oneline look PATH [FLAGS]
.SH DESCRIPTION
.PP
Looks at a file\(aqs
lines, \en and all:
.TP
\fBfirst\fR
what is
first
.TP
\fB\-\-second\fR
a flag
.PP
\&.dots too.
.SH OPTIONS
.TP
\fB\-\-json\fR
print JSON instead of text
.TP
\fB\-\-memory\fR=\fISIZE\fR
memory of all filters, such as 512MiB
.SH EXIT STATUS
.PP
0 seen,
1 not seen.
.SH EXAMPLES
.PP
.RS 4
.nf
oneline look db
oneline look \(aqa file\(aq
.fi
.RE
.SH SEE ALSO
.PP
\fBoneline\fR(1),
\fBoneline\-other\fR(1)
)");
}

}  // namespace
}  // namespace oneline
