#!/bin/bash
# Writes the manual pages of the program oneline and of its commands, from their help.
#   third_party/manual.sh PROGRAM DIRECTORY
set -euo pipefail
program=$1 directory=$2
mkdir -p "$directory"
version=$("$program" --version | cut -d' ' -f2)
page() {  # NAME SUMMARY [COMMAND]
  help2man --no-info --version-string="$version" --name="$2" "$program ${3-}" |
    sed "s/^\.TH ONELINE /.TH ${1^^} /; s/^oneline $3 /$1 /" >"$directory/$1.1"
}
page oneline "inspects, checks and sizes the filters of RocksDB's tables" ""
"$program" help | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p; /--help/q' |
  while read -r command summary; do
    page "oneline-$command" "$summary" "$command"
  done
